CREATE TABLE account (
    id INTEGER NOT NULL,
    name VARCHAR(100) NOT NULL,
    password VARCHAR(200) NOT NULL,
    role VARCHAR(10) NOT NULL,
    created_at DATETIME NOT NULL,
    closed_at DATETIME,
    CONSTRAINT pk_account PRIMARY KEY (id),
    CONSTRAINT uq_account_name UNIQUE (name)
);

CREATE TABLE audit (
    id INTEGER NOT NULL,
    at DATETIME NOT NULL,
    who VARCHAR(100) NOT NULL,
    action VARCHAR(40) NOT NULL,
    subject VARCHAR(300) NOT NULL,
    detail TEXT NOT NULL,
    CONSTRAINT pk_audit PRIMARY KEY (id)
);

CREATE INDEX ix_audit_at ON audit (at);

CREATE TABLE author (
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    CONSTRAINT pk_author PRIMARY KEY (id),
    CONSTRAINT uq_author_name UNIQUE (name)
);

CREATE TABLE digest (
    day VARCHAR(10) NOT NULL,
    sent_at DATETIME NOT NULL,
    channels JSON NOT NULL,
    CONSTRAINT pk_digest PRIMARY KEY (day)
);

CREATE TABLE export (
    id INTEGER NOT NULL,
    name VARCHAR(100) NOT NULL,
    path TEXT NOT NULL,
    written_at DATETIME NOT NULL,
    articles INTEGER NOT NULL,
    last_article_id INTEGER NOT NULL,
    CONSTRAINT pk_export PRIMARY KEY (id)
);

CREATE INDEX ix_export_name ON export (name, id);

CREATE TABLE host (
    name VARCHAR(255) NOT NULL,
    next_request_at DATETIME,
    lease_holder VARCHAR(300),
    lease_expires_at DATETIME,
    has_waiter BOOLEAN NOT NULL,
    last_response_at DATETIME,
    response_seconds FLOAT,
    delay_factor FLOAT NOT NULL,
    failures INTEGER NOT NULL,
    paused_until DATETIME,
    pause_reason TEXT,
    is_suspended BOOLEAN NOT NULL,
    CONSTRAINT pk_host PRIMARY KEY (name)
);

CREATE TABLE job (
    id INTEGER NOT NULL,
    kind VARCHAR(10) NOT NULL,
    target VARCHAR(200) NOT NULL,
    state VARCHAR(10) NOT NULL,
    asked_by VARCHAR(100) NOT NULL,
    asked_at DATETIME NOT NULL,
    began_at DATETIME,
    ended_at DATETIME,
    message VARCHAR(300) NOT NULL,
    CONSTRAINT pk_job PRIMARY KEY (id)
);

CREATE INDEX ix_job_state ON job (state);

CREATE TABLE keyword (
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    CONSTRAINT pk_keyword PRIMARY KEY (id),
    CONSTRAINT uq_keyword_name UNIQUE (name)
);

CREATE TABLE portal (
    id INTEGER NOT NULL,
    name VARCHAR(200) NOT NULL,
    round INTEGER NOT NULL,
    created_at DATETIME NOT NULL,
    learned JSON,
    CONSTRAINT pk_portal PRIMARY KEY (id),
    CONSTRAINT uq_portal_name UNIQUE (name)
);

CREATE TABLE reason (
    word VARCHAR(60) NOT NULL,
    CONSTRAINT pk_reason PRIMARY KEY (word)
);

CREATE TABLE release (
    id INTEGER NOT NULL,
    name VARCHAR(100) NOT NULL,
    created_at DATETIME NOT NULL,
    recipe JSON NOT NULL,
    version VARCHAR(40) NOT NULL,
    articles INTEGER NOT NULL,
    manifest_sha256 VARCHAR(64) NOT NULL,
    path TEXT NOT NULL,
    CONSTRAINT pk_release PRIMARY KEY (id),
    CONSTRAINT uq_release_name UNIQUE (name)
);

CREATE TABLE robots (
    origin VARCHAR(300) NOT NULL,
    host VARCHAR(255) NOT NULL,
    verdict VARCHAR(10) NOT NULL,
    http_status SMALLINT,
    reason VARCHAR(300),
    body BLOB,
    fetched_at DATETIME NOT NULL,
    expires_at DATETIME NOT NULL,
    failures INTEGER NOT NULL,
    crawl_delay_seconds FLOAT,
    CONSTRAINT pk_robots PRIMARY KEY (origin),
    CONSTRAINT ck_robots_verdict CHECK (verdict IN ('rules', 'allow', 'forbid'))
);

CREATE INDEX ix_robots_host ON robots (host);

CREATE TABLE search_backlog (
    until_id INTEGER NOT NULL,
    indexed_id INTEGER NOT NULL,
    CONSTRAINT pk_search_backlog PRIMARY KEY (until_id)
);

CREATE TABLE service (
    id INTEGER NOT NULL,
    host VARCHAR(255) NOT NULL,
    machine VARCHAR(400) NOT NULL,
    pid INTEGER NOT NULL,
    process_started BIGINT,
    started_at DATETIME NOT NULL,
    heartbeat_at DATETIME NOT NULL,
    ended_at DATETIME,
    problem TEXT NOT NULL,
    CONSTRAINT pk_service PRIMARY KEY (id)
);

CREATE TABLE tdm_policy (
    origin VARCHAR(300) NOT NULL,
    rules JSON NOT NULL,
    http_status SMALLINT,
    reason VARCHAR(300),
    fetched_at DATETIME NOT NULL,
    unchanged_since DATETIME NOT NULL,
    expires_at DATETIME NOT NULL,
    CONSTRAINT pk_tdm_policy PRIMARY KEY (origin)
);

CREATE TABLE alert (
    id INTEGER NOT NULL,
    portal_id INTEGER NOT NULL,
    kind VARCHAR(40) NOT NULL,
    message TEXT NOT NULL,
    started_at DATETIME NOT NULL,
    ended_at DATETIME,
    start_sent JSON NOT NULL,
    end_sent JSON NOT NULL,
    CONSTRAINT pk_alert PRIMARY KEY (id),
    CONSTRAINT fk_alert_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id)
);

CREATE INDEX ix_alert_portal ON alert (portal_id, ended_at);

CREATE TABLE drift_check (
    id INTEGER NOT NULL,
    portal_id INTEGER NOT NULL,
    round INTEGER NOT NULL,
    template_version INTEGER,
    figures JSON NOT NULL,
    violations JSON NOT NULL,
    action TEXT NOT NULL,
    checked_at DATETIME NOT NULL,
    CONSTRAINT pk_drift_check PRIMARY KEY (id),
    CONSTRAINT uq_drift_check_portal_id UNIQUE (portal_id, round),
    CONSTRAINT fk_drift_check_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id)
);

CREATE TABLE run (
    id INTEGER NOT NULL,
    portal_id INTEGER NOT NULL,
    round INTEGER NOT NULL,
    started_at DATETIME NOT NULL,
    heartbeat_at DATETIME NOT NULL,
    ended_at DATETIME,
    end_reason VARCHAR(20),
    end_detail TEXT,
    host VARCHAR(255) NOT NULL,
    machine VARCHAR(400),
    pid INTEGER NOT NULL,
    process_started BIGINT,
    version VARCHAR(40) NOT NULL,
    counts JSON NOT NULL,
    CONSTRAINT pk_run PRIMARY KEY (id),
    CONSTRAINT ck_run_end_reason CHECK (end_reason IN ('finished', 'interrupted', 'killed', 'limit', 'window', 'budget', 'left alone', 'memory', 'busy', 'error')),
    CONSTRAINT fk_run_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id)
);

CREATE INDEX ix_run_open ON run (ended_at);

CREATE INDEX ix_run_portal ON run (portal_id, id);

CREATE TABLE scheduled_crawl (
    id INTEGER NOT NULL,
    portal_id INTEGER NOT NULL,
    label VARCHAR(40) NOT NULL,
    planned_at DATETIME NOT NULL,
    state VARCHAR(12) NOT NULL,
    attempts SMALLINT NOT NULL,
    started_at DATETIME,
    ended_at DATETIME,
    detail VARCHAR(300) NOT NULL,
    CONSTRAINT pk_scheduled_crawl PRIMARY KEY (id),
    CONSTRAINT uq_scheduled_crawl_portal_id UNIQUE (portal_id, label),
    CONSTRAINT ck_scheduled_crawl_state CHECK (state IN ('running', 'done', 'interrupted', 'broken', 'given up', 'stopped', 'missed')),
    CONSTRAINT fk_scheduled_crawl_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id)
);

CREATE INDEX ix_scheduled_crawl_planned ON scheduled_crawl (portal_id, planned_at);

CREATE TABLE scheduled_portal (
    portal_id INTEGER NOT NULL,
    since DATETIME NOT NULL,
    CONSTRAINT pk_scheduled_portal PRIMARY KEY (portal_id),
    CONSTRAINT fk_scheduled_portal_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id)
);

CREATE TABLE section (
    id INTEGER NOT NULL,
    portal_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    CONSTRAINT pk_section PRIMARY KEY (id),
    CONSTRAINT uq_section_portal_id UNIQUE (portal_id, name),
    CONSTRAINT fk_section_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id)
);

CREATE TABLE session (
    digest BLOB NOT NULL,
    account_id INTEGER NOT NULL,
    created_at DATETIME NOT NULL,
    seen_at DATETIME NOT NULL,
    expires_at DATETIME NOT NULL,
    CONSTRAINT pk_session PRIMARY KEY (digest),
    CONSTRAINT fk_session_account_id_account FOREIGN KEY(account_id) REFERENCES account (id)
);

CREATE INDEX ix_session_account_id ON session (account_id);

CREATE TABLE template (
    id INTEGER NOT NULL,
    portal_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    document TEXT NOT NULL,
    origin VARCHAR(16) NOT NULL,
    state VARCHAR(16) NOT NULL,
    note TEXT NOT NULL,
    figures JSON NOT NULL,
    created_at DATETIME NOT NULL,
    CONSTRAINT pk_template PRIMARY KEY (id),
    CONSTRAINT uq_template_portal_id UNIQUE (portal_id, version),
    CONSTRAINT ck_template_origin CHECK (origin IN ('learned', 'imported', 'by hand')),
    CONSTRAINT ck_template_state CHECK (state IN ('in use', 'replaced', 'refused', 'withdrawn')),
    CONSTRAINT fk_template_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id)
);

CREATE TABLE token (
    id INTEGER NOT NULL,
    digest BLOB NOT NULL,
    account_id INTEGER NOT NULL,
    name VARCHAR(100) NOT NULL,
    scope VARCHAR(10) NOT NULL,
    created_at DATETIME NOT NULL,
    expires_at DATETIME NOT NULL,
    used_at DATETIME,
    revoked_at DATETIME,
    CONSTRAINT pk_token PRIMARY KEY (id),
    CONSTRAINT uq_token_digest UNIQUE (digest),
    CONSTRAINT fk_token_account_id_account FOREIGN KEY(account_id) REFERENCES account (id)
);

CREATE INDEX ix_token_account_id ON token (account_id);

CREATE TABLE url_pattern (
    id INTEGER NOT NULL,
    portal_id INTEGER NOT NULL,
    pattern VARCHAR(500) NOT NULL,
    articles INTEGER NOT NULL,
    listings INTEGER NOT NULL,
    others INTEGER NOT NULL,
    new_articles INTEGER NOT NULL,
    unproductive INTEGER NOT NULL,
    skipped INTEGER NOT NULL,
    CONSTRAINT pk_url_pattern PRIMARY KEY (id),
    CONSTRAINT uq_url_pattern_portal_id UNIQUE (portal_id, pattern),
    CONSTRAINT fk_url_pattern_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id)
);

CREATE TABLE warc_file (
    id INTEGER NOT NULL,
    portal_id INTEGER NOT NULL,
    path VARCHAR(300) NOT NULL,
    created_at DATETIME NOT NULL,
    CONSTRAINT pk_warc_file PRIMARY KEY (id),
    CONSTRAINT uq_warc_file_portal_id UNIQUE (portal_id, path),
    CONSTRAINT fk_warc_file_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id)
);

CREATE TABLE article (
    id INTEGER NOT NULL,
    portal_id INTEGER NOT NULL,
    url TEXT NOT NULL,
    url_hash BLOB NOT NULL,
    text_hash BLOB NOT NULL,
    is_canonical BOOLEAN NOT NULL,
    canonical_url TEXT,
    headline TEXT NOT NULL,
    lead TEXT,
    paragraphs JSON NOT NULL,
    description TEXT,
    description_is_lead BOOLEAN NOT NULL,
    published_at DATETIME,
    published_offset_minutes SMALLINT,
    published_precision VARCHAR(10),
    published_source VARCHAR(40),
    offset_given BOOLEAN NOT NULL,
    modified_at DATETIME,
    modified_offset_minutes SMALLINT,
    section_id INTEGER,
    section_source VARCHAR(40),
    language VARCHAR(12),
    language_detected VARCHAR(12),
    image_url TEXT,
    genre VARCHAR(20) NOT NULL,
    free BOOLEAN,
    word_count INTEGER NOT NULL,
    fetched_at DATETIME NOT NULL,
    method VARCHAR(60) NOT NULL,
    confidence FLOAT NOT NULL,
    minhash BLOB,
    similar_to_id INTEGER,
    corrections SMALLINT DEFAULT '0' NOT NULL,
    corrected_at DATETIME,
    gone_at DATETIME,
    http_status SMALLINT,
    dated_at DATETIME GENERATED ALWAYS AS (coalesce(published_at, fetched_at)) STORED,
    day DATE GENERATED ALWAYS AS (date(coalesce(published_at, fetched_at), coalesce(published_offset_minutes, 0) || ' minutes')) STORED,
    CONSTRAINT pk_article PRIMARY KEY (id),
    CONSTRAINT uq_article_portal_id UNIQUE (portal_id, url_hash),
    CONSTRAINT ck_article_published_precision CHECK (published_precision IN ('minute', 'day', 'month')),
    CONSTRAINT fk_article_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id),
    CONSTRAINT fk_article_section_id_section FOREIGN KEY(section_id) REFERENCES section (id),
    CONSTRAINT fk_article_similar_to_id_article FOREIGN KEY(similar_to_id) REFERENCES article (id) ON DELETE SET NULL
);

CREATE INDEX ix_article_dated ON article (dated_at, id);

CREATE INDEX ix_article_day ON article (portal_id, day);

CREATE INDEX ix_article_facets ON article (id, portal_id, dated_at, day, language, genre, section_id);

CREATE INDEX ix_article_language ON article (language, dated_at);

CREATE INDEX ix_article_section ON article (section_id);

CREATE INDEX ix_article_similar ON article (similar_to_id) WHERE similar_to_id IS NOT NULL;

CREATE INDEX ix_article_text ON article (portal_id, text_hash);

CREATE INDEX ix_article_url ON article (url);

CREATE TABLE request (
    id INTEGER NOT NULL,
    sent_at DATETIME NOT NULL,
    host VARCHAR(255) NOT NULL,
    address VARCHAR(45),
    portal_id INTEGER,
    run_id INTEGER,
    kind VARCHAR(10) NOT NULL,
    http_status SMALLINT,
    reason VARCHAR(60),
    bytes BIGINT NOT NULL,
    duration_ms INTEGER NOT NULL,
    delay_seconds FLOAT NOT NULL,
    CONSTRAINT pk_request PRIMARY KEY (id),
    CONSTRAINT ck_request_kind CHECK (kind IN ('page', 'robots', 'tdm', 'part')),
    CONSTRAINT fk_request_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id),
    CONSTRAINT fk_request_run_id_run FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE SET NULL,
    CONSTRAINT fk_request_reason_reason FOREIGN KEY(reason) REFERENCES reason (word)
);

CREATE INDEX ix_request_host ON request (host, sent_at);

CREATE INDEX ix_request_portal ON request (portal_id, sent_at);

CREATE INDEX ix_request_run ON request (run_id) WHERE run_id IS NOT NULL;

CREATE INDEX ix_request_sent ON request (sent_at);

CREATE TABLE article_author (
    article_id INTEGER NOT NULL,
    position SMALLINT NOT NULL,
    author_id INTEGER NOT NULL,
    CONSTRAINT pk_article_author PRIMARY KEY (article_id, position),
    CONSTRAINT fk_article_author_article_id_article FOREIGN KEY(article_id) REFERENCES article (id) ON DELETE CASCADE,
    CONSTRAINT fk_article_author_author_id_author FOREIGN KEY(author_id) REFERENCES author (id)
)
 WITHOUT ROWID;

CREATE INDEX ix_article_author_author ON article_author (author_id, article_id);

CREATE TABLE article_keyword (
    article_id INTEGER NOT NULL,
    position SMALLINT NOT NULL,
    keyword_id INTEGER NOT NULL,
    CONSTRAINT pk_article_keyword PRIMARY KEY (article_id, position),
    CONSTRAINT fk_article_keyword_article_id_article FOREIGN KEY(article_id) REFERENCES article (id) ON DELETE CASCADE,
    CONSTRAINT fk_article_keyword_keyword_id_keyword FOREIGN KEY(keyword_id) REFERENCES keyword (id)
)
 WITHOUT ROWID;

CREATE INDEX ix_article_keyword_keyword ON article_keyword (keyword_id, article_id);

CREATE TABLE article_url (
    article_id INTEGER NOT NULL,
    url_hash BLOB NOT NULL,
    url TEXT NOT NULL,
    kind VARCHAR(10) NOT NULL,
    first_seen_at DATETIME,
    CONSTRAINT pk_article_url PRIMARY KEY (article_id, url_hash),
    CONSTRAINT ck_article_url_kind CHECK (kind IN ('canonical', 'duplicate', 'former')),
    CONSTRAINT fk_article_url_article_id_article FOREIGN KEY(article_id) REFERENCES article (id) ON DELETE CASCADE
)
 WITHOUT ROWID;

CREATE INDEX ix_article_url_url ON article_url (url);

CREATE TABLE frontier (
    id INTEGER NOT NULL,
    portal_id INTEGER NOT NULL,
    url TEXT NOT NULL,
    url_hash BLOB NOT NULL,
    kind VARCHAR(16) NOT NULL,
    kind_reason VARCHAR(40),
    priority SMALLINT NOT NULL,
    depth INTEGER NOT NULL,
    redirects SMALLINT NOT NULL,
    state VARCHAR(10) NOT NULL,
    outcome VARCHAR(16),
    http_status SMALLINT,
    reason VARCHAR(60),
    detail VARCHAR(300),
    attempts SMALLINT NOT NULL,
    new_articles INTEGER NOT NULL,
    empty_visits SMALLINT NOT NULL,
    found_on_id INTEGER,
    sources SMALLINT NOT NULL,
    hints JSON,
    found_at DATETIME NOT NULL,
    fetched_at DATETIME,
    retry_at DATETIME,
    revisit_at DATETIME,
    visits JSON,
    round INTEGER NOT NULL,
    seen_round INTEGER DEFAULT '0' NOT NULL,
    run_id INTEGER,
    etag VARCHAR(300),
    last_modified VARCHAR(60),
    article_id INTEGER,
    CONSTRAINT pk_frontier PRIMARY KEY (id),
    CONSTRAINT uq_frontier_portal_id UNIQUE (portal_id, url_hash),
    CONSTRAINT ck_frontier_kind CHECK (kind IN ('start', 'probe', 'feed', 'sitemap', 'article', 'section', 'other')),
    CONSTRAINT ck_frontier_state CHECK (state IN ('waiting', 'fetching', 'done', 'failed', 'skipped')),
    CONSTRAINT ck_frontier_outcome CHECK (outcome IN ('article', 'listing', 'nothing', 'redirect', 'unchanged')),
    CONSTRAINT ck_frontier_sources CHECK (sources BETWEEN 0 AND 7),
    CONSTRAINT fk_frontier_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id),
    CONSTRAINT fk_frontier_reason_reason FOREIGN KEY(reason) REFERENCES reason (word),
    CONSTRAINT fk_frontier_found_on_id_frontier FOREIGN KEY(found_on_id) REFERENCES frontier (id),
    CONSTRAINT fk_frontier_run_id_run FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE SET NULL,
    CONSTRAINT fk_frontier_article_id_article FOREIGN KEY(article_id) REFERENCES article (id) ON DELETE SET NULL
);

CREATE INDEX ix_frontier_article ON frontier (article_id) WHERE article_id IS NOT NULL;

CREATE INDEX ix_frontier_lease ON frontier (run_id, state) WHERE run_id IS NOT NULL;

CREATE INDEX ix_frontier_next ON frontier (portal_id, state, priority, id);

CREATE TABLE minhash_band (
    hash INTEGER NOT NULL,
    article_id INTEGER NOT NULL,
    CONSTRAINT pk_minhash_band PRIMARY KEY (hash, article_id),
    CONSTRAINT fk_minhash_band_article_id_article FOREIGN KEY(article_id) REFERENCES article (id) ON DELETE CASCADE
)
 WITHOUT ROWID;

CREATE INDEX ix_minhash_band_article ON minhash_band (article_id);

CREATE TABLE page (
    id INTEGER NOT NULL,
    portal_id INTEGER NOT NULL,
    warc_id INTEGER NOT NULL,
    round INTEGER NOT NULL,
    url TEXT NOT NULL,
    url_hash BLOB NOT NULL,
    fetched_at DATETIME NOT NULL,
    warc_offset BIGINT NOT NULL,
    warc_length INTEGER NOT NULL,
    size INTEGER NOT NULL,
    digest VARCHAR(60) NOT NULL,
    outcome VARCHAR(16),
    reason VARCHAR(60),
    detail TEXT,
    article_id INTEGER,
    reading JSON,
    CONSTRAINT pk_page PRIMARY KEY (id),
    CONSTRAINT ck_page_outcome CHECK (outcome IN ('article', 'listing', 'nothing', 'redirect', 'unchanged', 'part')),
    CONSTRAINT fk_page_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id),
    CONSTRAINT fk_page_warc_id_warc_file FOREIGN KEY(warc_id) REFERENCES warc_file (id),
    CONSTRAINT fk_page_reason_reason FOREIGN KEY(reason) REFERENCES reason (word),
    CONSTRAINT fk_page_article_id_article FOREIGN KEY(article_id) REFERENCES article (id) ON DELETE SET NULL
);

CREATE INDEX ix_page_article ON page (article_id);

CREATE INDEX ix_page_fetched ON page (fetched_at, id);

CREATE INDEX ix_page_round ON page (portal_id, round);

CREATE INDEX ix_page_url ON page (portal_id, url_hash);

CREATE INDEX ix_page_warc ON page (warc_id);

CREATE TABLE revision (
    id INTEGER NOT NULL,
    article_id INTEGER NOT NULL,
    fetched_at DATETIME NOT NULL,
    headline TEXT NOT NULL,
    lead TEXT,
    paragraphs JSON NOT NULL,
    modified_at DATETIME,
    modified_offset_minutes SMALLINT,
    reason VARCHAR(10) NOT NULL,
    detail TEXT,
    record JSON,
    CONSTRAINT pk_revision PRIMARY KEY (id),
    CONSTRAINT ck_revision_reason CHECK (reason IN ('corrected', 'reread')),
    CONSTRAINT fk_revision_article_id_article FOREIGN KEY(article_id) REFERENCES article (id) ON DELETE CASCADE
);

CREATE INDEX ix_revision_article_id ON revision (article_id);

CREATE TABLE reservation (
    id INTEGER NOT NULL,
    portal_id INTEGER NOT NULL,
    url_id INTEGER NOT NULL,
    kind VARCHAR(20) NOT NULL,
    statement VARCHAR(200) NOT NULL,
    place VARCHAR(40) NOT NULL,
    is_granted BOOLEAN NOT NULL,
    policy TEXT,
    effective_at DATETIME,
    first_seen_at DATETIME NOT NULL,
    last_seen_at DATETIME NOT NULL,
    ended_at DATETIME,
    CONSTRAINT pk_reservation PRIMARY KEY (id),
    CONSTRAINT ck_reservation_kind CHECK (kind IN ('noindex', 'nofollow', 'noarchive', 'unavailable_after', 'tdm')),
    CONSTRAINT fk_reservation_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id),
    CONSTRAINT fk_reservation_url_id_frontier FOREIGN KEY(url_id) REFERENCES frontier (id)
);

CREATE INDEX ix_reservation_portal ON reservation (portal_id, kind);

CREATE INDEX ix_reservation_url ON reservation (url_id);

CREATE TABLE review (
    id INTEGER NOT NULL,
    portal_id INTEGER NOT NULL,
    article_id INTEGER NOT NULL,
    page_id INTEGER NOT NULL,
    faults JSON NOT NULL,
    gold JSON,
    note TEXT NOT NULL,
    reviewed_at DATETIME NOT NULL,
    CONSTRAINT pk_review PRIMARY KEY (id),
    CONSTRAINT uq_review_article_id UNIQUE (article_id),
    CONSTRAINT fk_review_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id),
    CONSTRAINT fk_review_article_id_article FOREIGN KEY(article_id) REFERENCES article (id) ON DELETE CASCADE,
    CONSTRAINT fk_review_page_id_page FOREIGN KEY(page_id) REFERENCES page (id)
);

CREATE INDEX ix_review_page_id ON review (page_id);

CREATE TABLE verdict (
    id INTEGER NOT NULL,
    article_id INTEGER NOT NULL,
    reviewer VARCHAR(100) NOT NULL,
    page_id INTEGER NOT NULL,
    faults JSON NOT NULL,
    gold JSON,
    note TEXT NOT NULL,
    reviewed_at DATETIME NOT NULL,
    CONSTRAINT pk_verdict PRIMARY KEY (id),
    CONSTRAINT uq_verdict_article_id UNIQUE (article_id, reviewer),
    CONSTRAINT fk_verdict_article_id_article FOREIGN KEY(article_id) REFERENCES article (id) ON DELETE CASCADE,
    CONSTRAINT fk_verdict_page_id_page FOREIGN KEY(page_id) REFERENCES page (id)
);

CREATE INDEX ix_verdict_reviewer ON verdict (reviewer, reviewed_at);
