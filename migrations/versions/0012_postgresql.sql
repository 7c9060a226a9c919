CREATE TABLE account (
    id SERIAL NOT NULL,
    name VARCHAR(100) NOT NULL,
    password VARCHAR(200) NOT NULL,
    role VARCHAR(10) NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    closed_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_account PRIMARY KEY (id),
    CONSTRAINT uq_account_name UNIQUE (name)
);

COMMENT ON TABLE account IS 'People who may log in to the web application.';

COMMENT ON COLUMN account.id IS 'Number of the account.';

COMMENT ON COLUMN account.name IS 'Name of the person.';

COMMENT ON COLUMN account.password IS 'Password as Argon2 writes it: algorithm, parameters, salt and hash.';

COMMENT ON COLUMN account.role IS 'reader, reviewer or operator.';

COMMENT ON COLUMN account.created_at IS 'Time of creation, in UTC.';

COMMENT ON COLUMN account.closed_at IS 'Time of closing, in UTC; NULL: the account is open.';

CREATE TABLE audit (
    id BIGSERIAL NOT NULL,
    at TIMESTAMP WITH TIME ZONE NOT NULL,
    who VARCHAR(100) NOT NULL,
    action VARCHAR(40) NOT NULL,
    subject VARCHAR(300) NOT NULL,
    detail TEXT NOT NULL,
    CONSTRAINT pk_audit PRIMARY KEY (id)
);

CREATE INDEX ix_audit_at ON audit (at);

COMMENT ON TABLE audit IS 'Changes that people made in the web application.';

COMMENT ON COLUMN audit.id IS 'Number of the entry.';

COMMENT ON COLUMN audit.at IS 'Time of the change, in UTC.';

COMMENT ON COLUMN audit.who IS 'Name of the account.';

COMMENT ON COLUMN audit.action IS 'What was done, such as login or review.';

COMMENT ON COLUMN audit.subject IS 'What was changed: the name of a portal, the number of an article.';

COMMENT ON COLUMN audit.detail IS 'What else is to be known of it.';

CREATE TABLE author (
    id SERIAL NOT NULL,
    name TEXT NOT NULL,
    CONSTRAINT pk_author PRIMARY KEY (id),
    CONSTRAINT uq_author_name UNIQUE (name)
);

COMMENT ON TABLE author IS 'Names of authors, each once for all portals.';

COMMENT ON COLUMN author.id IS 'Number of the author.';

COMMENT ON COLUMN author.name IS 'Name as pages write it; one person may have several spellings.';

CREATE TABLE digest (
    day VARCHAR(10) NOT NULL,
    sent_at TIMESTAMP WITH TIME ZONE NOT NULL,
    channels JSON NOT NULL,
    CONSTRAINT pk_digest PRIMARY KEY (day)
);

COMMENT ON TABLE digest IS 'Daily digests.';

COMMENT ON COLUMN digest.day IS 'Day of the digest, YYYY-MM-DD.';

COMMENT ON COLUMN digest.sent_at IS 'Time of sending, in UTC.';

COMMENT ON COLUMN digest.channels IS 'Channels through which it was sent.';

CREATE TABLE export (
    id BIGSERIAL NOT NULL,
    name VARCHAR(100) NOT NULL,
    path TEXT NOT NULL,
    written_at TIMESTAMP WITH TIME ZONE NOT NULL,
    articles INTEGER NOT NULL,
    last_article_id BIGINT NOT NULL,
    CONSTRAINT pk_export PRIMARY KEY (id)
);

CREATE INDEX ix_export_name ON export (name, id);

COMMENT ON TABLE export IS 'Files that scheduled exports have written.';

COMMENT ON COLUMN export.id IS 'Number of the export.';

COMMENT ON COLUMN export.name IS 'Name of the export in newscrawler.toml.';

COMMENT ON COLUMN export.path IS 'File that was written; empty: nothing was new.';

COMMENT ON COLUMN export.written_at IS 'Time of writing, in UTC.';

COMMENT ON COLUMN export.articles IS 'Articles in the file.';

COMMENT ON COLUMN export.last_article_id IS 'Newest article at that time; the next export begins after it.';

CREATE TABLE host (
    name VARCHAR(255) NOT NULL,
    next_request_at TIMESTAMP WITH TIME ZONE,
    lease_holder VARCHAR(300),
    lease_expires_at TIMESTAMP WITH TIME ZONE,
    has_waiter BOOLEAN NOT NULL,
    last_response_at TIMESTAMP WITH TIME ZONE,
    response_seconds FLOAT,
    delay_factor FLOAT NOT NULL,
    failures INTEGER NOT NULL,
    paused_until TIMESTAMP WITH TIME ZONE,
    pause_reason TEXT,
    is_suspended BOOLEAN NOT NULL,
    CONSTRAINT pk_host PRIMARY KEY (name)
);

COMMENT ON TABLE host IS 'Slots of hosts and IP addresses, shared by all portals and processes: one request at a time, with a delay.';

COMMENT ON COLUMN host.name IS 'Host name in lower case without port, or IP address.';

COMMENT ON COLUMN host.next_request_at IS 'Earliest time of the next request, in UTC.';

COMMENT ON COLUMN host.lease_holder IS 'Process that holds the slot: machine, process, number.';

COMMENT ON COLUMN host.lease_expires_at IS 'Time at which the lease expires, in UTC.';

COMMENT ON COLUMN host.has_waiter IS 'True: another process waits for the slot.';

COMMENT ON COLUMN host.last_response_at IS 'Time of the latest response, or of giving up on it, in UTC.';

COMMENT ON COLUMN host.response_seconds IS 'Moving average of response times; NULL if unknown.';

COMMENT ON COLUMN host.delay_factor IS 'Factor on the delay: more than 1 where the host is slow or fails.';

COMMENT ON COLUMN host.failures IS 'Failed requests in a row.';

COMMENT ON COLUMN host.paused_until IS 'No request is sent before this time, in UTC.';

COMMENT ON COLUMN host.pause_reason IS 'Why the host is paused.';

COMMENT ON COLUMN host.is_suspended IS 'True: the host failed after several pauses and is given up.';

CREATE TABLE job (
    id BIGSERIAL NOT NULL,
    kind VARCHAR(10) NOT NULL,
    target VARCHAR(200) NOT NULL,
    state VARCHAR(10) NOT NULL,
    asked_by VARCHAR(100) NOT NULL,
    asked_at TIMESTAMP WITH TIME ZONE NOT NULL,
    began_at TIMESTAMP WITH TIME ZONE,
    ended_at TIMESTAMP WITH TIME ZONE,
    message VARCHAR(300) NOT NULL,
    CONSTRAINT pk_job PRIMARY KEY (id)
);

CREATE INDEX ix_job_state ON job (state);

COMMENT ON TABLE job IS 'What people ask the service to do.';

COMMENT ON COLUMN job.id IS 'Number of the job.';

COMMENT ON COLUMN job.kind IS 'crawl, stop or export.';

COMMENT ON COLUMN job.target IS 'Name of a portal or an export.';

COMMENT ON COLUMN job.state IS 'waiting, running, done or failed.';

COMMENT ON COLUMN job.asked_by IS 'Name of the account.';

COMMENT ON COLUMN job.asked_at IS 'Time of the request, in UTC.';

COMMENT ON COLUMN job.began_at IS 'Start, in UTC.';

COMMENT ON COLUMN job.ended_at IS 'End, in UTC.';

COMMENT ON COLUMN job.message IS 'The result in a sentence.';

CREATE TABLE keyword (
    id SERIAL NOT NULL,
    name TEXT NOT NULL,
    CONSTRAINT pk_keyword PRIMARY KEY (id),
    CONSTRAINT uq_keyword_name UNIQUE (name)
);

COMMENT ON TABLE keyword IS 'Keywords, each once for all portals.';

COMMENT ON COLUMN keyword.id IS 'Number of the keyword.';

COMMENT ON COLUMN keyword.name IS 'Keyword as pages write it.';

CREATE TABLE portal (
    id SERIAL NOT NULL,
    name VARCHAR(200) NOT NULL,
    round INTEGER NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    learned JSON,
    CONSTRAINT pk_portal PRIMARY KEY (id),
    CONSTRAINT uq_portal_name UNIQUE (name)
);

COMMENT ON TABLE portal IS 'Portals that were crawled or scheduled.';

COMMENT ON COLUMN portal.id IS 'Number of the portal.';

COMMENT ON COLUMN portal.name IS 'Name of the portal in newscrawler.toml.';

COMMENT ON COLUMN portal.round IS 'Number of the current round: the runs from one that starts afresh to one that leaves nothing to fetch.';

COMMENT ON COLUMN portal.created_at IS 'Time at which the portal was first crawled or scheduled, in UTC.';

COMMENT ON COLUMN portal.learned IS 'What crawls have learned of the whole portal, such as its way to write dates.';

CREATE TABLE reason (
    word VARCHAR(60) NOT NULL,
    CONSTRAINT pk_reason PRIMARY KEY (word)
);

COMMENT ON TABLE reason IS 'Vocabulary of reasons why a URL gave no article or a request failed.';

COMMENT ON COLUMN reason.word IS 'The reason as commands show it.';

CREATE TABLE release (
    id SERIAL NOT NULL,
    name VARCHAR(100) NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    recipe JSON NOT NULL,
    version VARCHAR(40) NOT NULL,
    articles INTEGER NOT NULL,
    manifest_sha256 VARCHAR(64) NOT NULL,
    path TEXT NOT NULL,
    CONSTRAINT pk_release PRIMARY KEY (id),
    CONSTRAINT uq_release_name UNIQUE (name)
);

COMMENT ON TABLE release IS 'Releases: corpora that were written to be cited.';

COMMENT ON COLUMN release.id IS 'Number of the release.';

COMMENT ON COLUMN release.name IS 'Name of the release, unique.';

COMMENT ON COLUMN release.created_at IS 'Time, in UTC, for which articles and rights were selected.';

COMMENT ON COLUMN release.recipe IS 'Selection, formats and options, from which the release can be made again.';

COMMENT ON COLUMN release.version IS 'Version of newscrawler.';

COMMENT ON COLUMN release.articles IS 'Number of articles in the release.';

COMMENT ON COLUMN release.manifest_sha256 IS 'SHA-256 of manifest.json, which holds the SHA-256 of every other file.';

COMMENT ON COLUMN release.path IS 'Folder to which the release was written.';

CREATE TABLE robots (
    origin VARCHAR(300) NOT NULL,
    host VARCHAR(255) NOT NULL,
    verdict VARCHAR(10) NOT NULL,
    http_status SMALLINT,
    reason VARCHAR(300),
    body BYTEA,
    fetched_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    failures INTEGER NOT NULL,
    crawl_delay_seconds FLOAT,
    CONSTRAINT pk_robots PRIMARY KEY (origin),
    CONSTRAINT ck_robots_verdict CHECK (verdict IN ('rules', 'allow', 'forbid'))
);

CREATE INDEX ix_robots_host ON robots (host);

COMMENT ON TABLE robots IS 'robots.txt of each origin, as it was last received.';

COMMENT ON COLUMN robots.origin IS 'scheme://host, with the port where it is not the default.';

COMMENT ON COLUMN robots.host IS 'Host name, as in `host`.';

COMMENT ON COLUMN robots.verdict IS 'rules: `body` holds them; allow: there are none; forbid: unreachable.';

COMMENT ON COLUMN robots.http_status IS 'HTTP status of the latest response; NULL if there was none.';

COMMENT ON COLUMN robots.reason IS 'Why the file cannot be had, or holds no rules.';

COMMENT ON COLUMN robots.body IS 'The file as it was received, at most 500 KiB.';

COMMENT ON COLUMN robots.fetched_at IS 'Time of the latest request for it, in UTC.';

COMMENT ON COLUMN robots.expires_at IS 'Time from which it is requested again, in UTC.';

COMMENT ON COLUMN robots.failures IS 'Failed requests in a row.';

COMMENT ON COLUMN robots.crawl_delay_seconds IS 'Crawl-delay or Request-rate for newscrawler; NULL if there is none.';

CREATE TABLE search_backlog (
    until_id BIGINT NOT NULL,
    indexed_id BIGINT NOT NULL,
    CONSTRAINT pk_search_backlog PRIMARY KEY (until_id)
);

COMMENT ON TABLE search_backlog IS 'Articles that were stored before there was a search index and are not in it yet; at most one row.';

COMMENT ON COLUMN search_backlog.until_id IS 'Last of the articles that are to be indexed.';

COMMENT ON COLUMN search_backlog.indexed_id IS 'Last of them that was indexed.';

CREATE TABLE service (
    id SERIAL NOT NULL,
    host VARCHAR(255) NOT NULL,
    machine VARCHAR(400) NOT NULL,
    pid INTEGER NOT NULL,
    process_started BIGINT,
    started_at TIMESTAMP WITH TIME ZONE NOT NULL,
    heartbeat_at TIMESTAMP WITH TIME ZONE NOT NULL,
    ended_at TIMESTAMP WITH TIME ZONE,
    problem TEXT NOT NULL,
    CONSTRAINT pk_service PRIMARY KEY (id)
);

COMMENT ON TABLE service IS 'Process of `newscrawler run`; at most one row.';

COMMENT ON COLUMN service.id IS '1.';

COMMENT ON COLUMN service.host IS 'Name of the machine.';

COMMENT ON COLUMN service.machine IS 'Boot and process namespace in which `pid` is valid.';

COMMENT ON COLUMN service.pid IS 'Number of the process.';

COMMENT ON COLUMN service.process_started IS 'Start of the process, in clock ticks since the machine started.';

COMMENT ON COLUMN service.started_at IS 'Start of the service, in UTC.';

COMMENT ON COLUMN service.heartbeat_at IS 'Latest sign of life, in UTC.';

COMMENT ON COLUMN service.ended_at IS 'End, in UTC; NULL while it runs.';

COMMENT ON COLUMN service.problem IS 'What is wrong with it, such as a refused configuration; empty: nothing.';

CREATE TABLE tdm_policy (
    origin VARCHAR(300) NOT NULL,
    rules JSON NOT NULL,
    http_status SMALLINT,
    reason VARCHAR(300),
    fetched_at TIMESTAMP WITH TIME ZONE NOT NULL,
    unchanged_since TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_tdm_policy PRIMARY KEY (origin)
);

COMMENT ON TABLE tdm_policy IS 'tdmrep.json (TDM Reservation Protocol) of each origin, as it was last received.';

COMMENT ON COLUMN tdm_policy.origin IS 'scheme://host, with the port where it is not the default.';

COMMENT ON COLUMN tdm_policy.rules IS 'Rules: [[location, reserved, policy], ...].';

COMMENT ON COLUMN tdm_policy.http_status IS 'HTTP status of the latest response; NULL if there was none.';

COMMENT ON COLUMN tdm_policy.reason IS 'Why there are no rules, or only those of an earlier response.';

COMMENT ON COLUMN tdm_policy.fetched_at IS 'Time of the latest request for it, in UTC.';

COMMENT ON COLUMN tdm_policy.unchanged_since IS 'Time at which these rules were seen first, in UTC.';

COMMENT ON COLUMN tdm_policy.expires_at IS 'Time from which it is requested again, in UTC.';

CREATE TABLE alert (
    id BIGSERIAL NOT NULL,
    portal_id INTEGER NOT NULL,
    kind VARCHAR(40) NOT NULL,
    message TEXT NOT NULL,
    started_at TIMESTAMP WITH TIME ZONE NOT NULL,
    ended_at TIMESTAMP WITH TIME ZONE,
    start_sent JSON NOT NULL,
    end_sent JSON NOT NULL,
    CONSTRAINT pk_alert PRIMARY KEY (id),
    CONSTRAINT fk_alert_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id)
);

CREATE INDEX ix_alert_portal ON alert (portal_id, ended_at);

COMMENT ON TABLE alert IS 'Problems of portals from start to end, and who was notified.';

COMMENT ON COLUMN alert.id IS 'Number of the alert.';

COMMENT ON COLUMN alert.portal_id IS 'Portal.';

COMMENT ON COLUMN alert.kind IS 'Kind of problem.';

COMMENT ON COLUMN alert.message IS 'The problem in a sentence.';

COMMENT ON COLUMN alert.started_at IS 'Time at which it was found, in UTC.';

COMMENT ON COLUMN alert.ended_at IS 'Time at which it was over, in UTC; NULL while it lasts.';

COMMENT ON COLUMN alert.start_sent IS 'Channels that were notified of the start.';

COMMENT ON COLUMN alert.end_sent IS 'Channels that were notified of the end.';

CREATE TABLE drift_check (
    id BIGSERIAL NOT NULL,
    portal_id INTEGER NOT NULL,
    round INTEGER NOT NULL,
    template_version INTEGER,
    figures JSON NOT NULL,
    violations JSON NOT NULL,
    action TEXT NOT NULL,
    checked_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_drift_check PRIMARY KEY (id),
    CONSTRAINT uq_drift_check_portal_id UNIQUE (portal_id, round),
    CONSTRAINT fk_drift_check_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id)
);

COMMENT ON TABLE drift_check IS 'Checks, round by round, of whether the layout of a portal has changed (layout drift).';

COMMENT ON COLUMN drift_check.id IS 'Number of the check.';

COMMENT ON COLUMN drift_check.portal_id IS 'Portal.';

COMMENT ON COLUMN drift_check.round IS 'Round of the portal.';

COMMENT ON COLUMN drift_check.template_version IS 'Version of the template in use; NULL: none.';

COMMENT ON COLUMN drift_check.figures IS 'Figures of how the pages of the round were read.';

COMMENT ON COLUMN drift_check.violations IS 'Limits that were exceeded, a sentence each; empty: none.';

COMMENT ON COLUMN drift_check.action IS 'What was done about it, in a sentence.';

COMMENT ON COLUMN drift_check.checked_at IS 'Time of the check, in UTC.';

CREATE TABLE run (
    id SERIAL NOT NULL,
    portal_id INTEGER NOT NULL,
    round INTEGER NOT NULL,
    started_at TIMESTAMP WITH TIME ZONE NOT NULL,
    heartbeat_at TIMESTAMP WITH TIME ZONE NOT NULL,
    ended_at TIMESTAMP WITH TIME ZONE,
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

COMMENT ON TABLE run IS 'Crawl runs: one row for each crawl of one portal by one process.';

COMMENT ON COLUMN run.id IS 'Number of the run; a later run has a larger one (fencing token).';

COMMENT ON COLUMN run.portal_id IS 'Portal that was crawled.';

COMMENT ON COLUMN run.round IS 'Round of the portal; a resumed run has the round of the run before.';

COMMENT ON COLUMN run.started_at IS 'Start, in UTC.';

COMMENT ON COLUMN run.heartbeat_at IS 'Latest sign of life, in UTC.';

COMMENT ON COLUMN run.ended_at IS 'End, in UTC; NULL while the run is under way.';

COMMENT ON COLUMN run.end_reason IS 'Why the run ended; NULL while it is under way.';

COMMENT ON COLUMN run.end_detail IS 'What the reason is about, such as a host or an error.';

COMMENT ON COLUMN run.host IS 'Name of the machine.';

COMMENT ON COLUMN run.machine IS 'Boot and process namespace in which `pid` is valid.';

COMMENT ON COLUMN run.pid IS 'Number of the process.';

COMMENT ON COLUMN run.process_started IS 'Start of the process, in clock ticks since the machine started.';

COMMENT ON COLUMN run.version IS 'Version of newscrawler.';

COMMENT ON COLUMN run.counts IS 'Figures of the run as a JSON object; v_run shows the main ones.';

CREATE TABLE scheduled_crawl (
    id BIGSERIAL NOT NULL,
    portal_id INTEGER NOT NULL,
    label VARCHAR(40) NOT NULL,
    planned_at TIMESTAMP WITH TIME ZONE NOT NULL,
    state VARCHAR(12) NOT NULL,
    attempts SMALLINT NOT NULL,
    started_at TIMESTAMP WITH TIME ZONE,
    ended_at TIMESTAMP WITH TIME ZONE,
    detail VARCHAR(300) NOT NULL,
    CONSTRAINT pk_scheduled_crawl PRIMARY KEY (id),
    CONSTRAINT uq_scheduled_crawl_portal_id UNIQUE (portal_id, label),
    CONSTRAINT ck_scheduled_crawl_state CHECK (state IN ('running', 'done', 'interrupted', 'broken', 'given up', 'stopped', 'missed')),
    CONSTRAINT fk_scheduled_crawl_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id)
);

CREATE INDEX ix_scheduled_crawl_planned ON scheduled_crawl (portal_id, planned_at);

COMMENT ON TABLE scheduled_crawl IS 'Times at which portals were to be crawled by the service, and what happened.';

COMMENT ON COLUMN scheduled_crawl.id IS 'Number of the scheduled crawl.';

COMMENT ON COLUMN scheduled_crawl.portal_id IS 'Portal.';

COMMENT ON COLUMN scheduled_crawl.label IS 'Which of the portal''s scheduled times it is.';

COMMENT ON COLUMN scheduled_crawl.planned_at IS 'Scheduled time, in UTC.';

COMMENT ON COLUMN scheduled_crawl.state IS 'State of the crawl.';

COMMENT ON COLUMN scheduled_crawl.attempts IS 'Attempts so far.';

COMMENT ON COLUMN scheduled_crawl.started_at IS 'Start of the latest attempt, in UTC.';

COMMENT ON COLUMN scheduled_crawl.ended_at IS 'End of the latest attempt, in UTC.';

COMMENT ON COLUMN scheduled_crawl.detail IS 'Why the latest attempt ended, in words.';

CREATE TABLE scheduled_portal (
    portal_id INTEGER NOT NULL,
    since TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_scheduled_portal PRIMARY KEY (portal_id),
    CONSTRAINT fk_scheduled_portal_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id)
);

COMMENT ON TABLE scheduled_portal IS 'Portals that the service crawls.';

COMMENT ON COLUMN scheduled_portal.portal_id IS 'Portal.';

COMMENT ON COLUMN scheduled_portal.since IS 'Time from which missed crawls count, in UTC.';

CREATE TABLE section (
    id SERIAL NOT NULL,
    portal_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    CONSTRAINT pk_section PRIMARY KEY (id),
    CONSTRAINT uq_section_portal_id UNIQUE (portal_id, name),
    CONSTRAINT fk_section_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id)
);

COMMENT ON TABLE section IS 'Sections of portals, such as Sport or Politics.';

COMMENT ON COLUMN section.id IS 'Number of the section.';

COMMENT ON COLUMN section.portal_id IS 'Portal that the section belongs to.';

COMMENT ON COLUMN section.name IS 'Name of the section as the portal writes it.';

CREATE TABLE session (
    digest BYTEA NOT NULL,
    account_id INTEGER NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    seen_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_session PRIMARY KEY (digest),
    CONSTRAINT fk_session_account_id_account FOREIGN KEY(account_id) REFERENCES account (id)
);

CREATE INDEX ix_session_account_id ON session (account_id);

COMMENT ON TABLE session IS 'Browsers that are logged in.';

COMMENT ON COLUMN session.digest IS 'SHA-256 of the token, which only the browser knows.';

COMMENT ON COLUMN session.account_id IS 'Account.';

COMMENT ON COLUMN session.created_at IS 'Time of the login, in UTC.';

COMMENT ON COLUMN session.seen_at IS 'Time of the latest request, in UTC.';

COMMENT ON COLUMN session.expires_at IS 'Time at which it expires, in UTC.';

CREATE TABLE template (
    id BIGSERIAL NOT NULL,
    portal_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    document TEXT NOT NULL,
    origin VARCHAR(16) NOT NULL,
    state VARCHAR(16) NOT NULL,
    note TEXT NOT NULL,
    figures JSON NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_template PRIMARY KEY (id),
    CONSTRAINT uq_template_portal_id UNIQUE (portal_id, version),
    CONSTRAINT ck_template_origin CHECK (origin IN ('learned', 'imported', 'by hand')),
    CONSTRAINT ck_template_state CHECK (state IN ('in use', 'replaced', 'refused', 'withdrawn')),
    CONSTRAINT fk_template_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id)
);

COMMENT ON TABLE template IS 'Versions of the template of each portal; a version is never changed.';

COMMENT ON COLUMN template.id IS 'Number of the row.';

COMMENT ON COLUMN template.portal_id IS 'Portal.';

COMMENT ON COLUMN template.version IS 'Version of the portal''s template, from 1.';

COMMENT ON COLUMN template.document IS 'The template file, JSON.';

COMMENT ON COLUMN template.origin IS 'Where it came from.';

COMMENT ON COLUMN template.state IS 'Whether it is in use; one that was withdrawn is not used again by itself.';

COMMENT ON COLUMN template.note IS 'Why it is in this state, in a sentence.';

COMMENT ON COLUMN template.figures IS 'Figures measured before it was adopted or refused.';

COMMENT ON COLUMN template.created_at IS 'Time at which it was added, in UTC.';

CREATE TABLE token (
    id SERIAL NOT NULL,
    digest BYTEA NOT NULL,
    account_id INTEGER NOT NULL,
    name VARCHAR(100) NOT NULL,
    scope VARCHAR(10) NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    used_at TIMESTAMP WITH TIME ZONE,
    revoked_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_token PRIMARY KEY (id),
    CONSTRAINT uq_token_digest UNIQUE (digest),
    CONSTRAINT fk_token_account_id_account FOREIGN KEY(account_id) REFERENCES account (id)
);

CREATE INDEX ix_token_account_id ON token (account_id);

COMMENT ON TABLE token IS 'Programs that may use the API.';

COMMENT ON COLUMN token.id IS 'Number of the token.';

COMMENT ON COLUMN token.digest IS 'SHA-256 of the token, which is shown once.';

COMMENT ON COLUMN token.account_id IS 'Account.';

COMMENT ON COLUMN token.name IS 'What it is for.';

COMMENT ON COLUMN token.scope IS 'read or write.';

COMMENT ON COLUMN token.created_at IS 'Time of creation, in UTC.';

COMMENT ON COLUMN token.expires_at IS 'Time at which it expires, in UTC.';

COMMENT ON COLUMN token.used_at IS 'Time of the latest use, in UTC.';

COMMENT ON COLUMN token.revoked_at IS 'Time at which it was revoked, in UTC.';

CREATE TABLE url_pattern (
    id BIGSERIAL NOT NULL,
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

COMMENT ON TABLE url_pattern IS 'Patterns of URLs of each portal, and what fetching showed of them.';

COMMENT ON COLUMN url_pattern.id IS 'Number of the pattern.';

COMMENT ON COLUMN url_pattern.portal_id IS 'Portal.';

COMMENT ON COLUMN url_pattern.pattern IS 'Pattern, such as /{section}/{slug}-{id}.';

COMMENT ON COLUMN url_pattern.articles IS 'Fetched URLs that were articles.';

COMMENT ON COLUMN url_pattern.listings IS 'Fetched URLs that were listings.';

COMMENT ON COLUMN url_pattern.others IS 'Fetched URLs that were neither.';

COMMENT ON COLUMN url_pattern.new_articles IS 'New URLs of articles that listings of this pattern led to.';

COMMENT ON COLUMN url_pattern.unproductive IS 'Fetched URLs in a row, up to the latest, that were neither article nor listing.';

COMMENT ON COLUMN url_pattern.skipped IS 'URLs since the latest fetched one that were not fetched, as they promise nothing.';

CREATE TABLE warc_file (
    id BIGSERIAL NOT NULL,
    portal_id INTEGER NOT NULL,
    path VARCHAR(300) NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_warc_file PRIMARY KEY (id),
    CONSTRAINT uq_warc_file_portal_id UNIQUE (portal_id, path),
    CONSTRAINT fk_warc_file_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id)
);

COMMENT ON TABLE warc_file IS 'WARC files with the pages as they were received.';

COMMENT ON COLUMN warc_file.id IS 'Number of the file.';

COMMENT ON COLUMN warc_file.portal_id IS 'Portal whose pages it holds.';

COMMENT ON COLUMN warc_file.path IS 'Path within the folder of pages.';

COMMENT ON COLUMN warc_file.created_at IS 'Time at which its first page was fetched, in UTC.';

CREATE TABLE article (
    id BIGSERIAL NOT NULL,
    portal_id INTEGER NOT NULL,
    url TEXT NOT NULL,
    url_hash BYTEA NOT NULL,
    text_hash BYTEA NOT NULL,
    is_canonical BOOLEAN NOT NULL,
    canonical_url TEXT,
    headline TEXT NOT NULL,
    lead TEXT,
    paragraphs JSON NOT NULL,
    description TEXT,
    description_is_lead BOOLEAN NOT NULL,
    published_at TIMESTAMP WITH TIME ZONE,
    published_offset_minutes SMALLINT,
    published_precision VARCHAR(10),
    published_source VARCHAR(40),
    offset_given BOOLEAN NOT NULL,
    modified_at TIMESTAMP WITH TIME ZONE,
    modified_offset_minutes SMALLINT,
    section_id INTEGER,
    section_source VARCHAR(40),
    language VARCHAR(12),
    language_detected VARCHAR(12),
    image_url TEXT,
    genre VARCHAR(20) NOT NULL,
    free BOOLEAN,
    word_count INTEGER NOT NULL,
    fetched_at TIMESTAMP WITH TIME ZONE NOT NULL,
    method VARCHAR(60) NOT NULL,
    confidence FLOAT NOT NULL,
    minhash BYTEA,
    similar_to_id BIGINT,
    corrections SMALLINT DEFAULT '0' NOT NULL,
    corrected_at TIMESTAMP WITH TIME ZONE,
    gone_at TIMESTAMP WITH TIME ZONE,
    http_status SMALLINT,
    dated_at TIMESTAMP WITH TIME ZONE GENERATED ALWAYS AS (coalesce(published_at, fetched_at)) STORED,
    day DATE GENERATED ALWAYS AS (CAST(timezone('UTC', coalesce(published_at, fetched_at)) + coalesce(published_offset_minutes, 0) * CAST('1 minute' AS interval) AS date)) STORED,
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

CREATE INDEX ix_article_url ON article USING hash (url);

COMMENT ON TABLE article IS 'One row for each article, with its current text.';

COMMENT ON COLUMN article.id IS 'Number of the article; exports and commands show the same number.';

COMMENT ON COLUMN article.portal_id IS 'Portal that published the article.';

COMMENT ON COLUMN article.url IS 'URL from which the article was fetched; other URLs of it are in article_url.';

COMMENT ON COLUMN article.url_hash IS 'BLAKE2b hash, 16 bytes, of the URL that identifies the article within its portal.';

COMMENT ON COLUMN article.text_hash IS 'BLAKE2b hash, 16 bytes, of headline and body.';

COMMENT ON COLUMN article.is_canonical IS 'True: the page declares `url` to be its canonical URL.';

COMMENT ON COLUMN article.canonical_url IS 'Canonical URL that the page declares, where it differs from `url`.';

COMMENT ON COLUMN article.headline IS 'Headline; empty if the page has none.';

COMMENT ON COLUMN article.lead IS 'Lead, where it is not the first paragraph; otherwise that paragraph has the kind `lead` in `paragraphs`.';

COMMENT ON COLUMN article.paragraphs IS 'Body in reading order, as JSON: [[kind, text], ...]; the kinds are lead, paragraph, heading, list item, quote and table row. A third element is the number of the post in a live blog.';

COMMENT ON COLUMN article.description IS 'Description that the page declares; NULL where `description_is_lead`.';

COMMENT ON COLUMN article.description_is_lead IS 'True: the page declares no description; exports use the lead, or the first paragraph, instead.';

COMMENT ON COLUMN article.published_at IS 'Time of publication in UTC; NULL if unknown.';

COMMENT ON COLUMN article.published_offset_minutes IS 'Offset from UTC, in minutes, on the clock of the page at `published_at`.';

COMMENT ON COLUMN article.published_precision IS 'How exactly the page states the time of publication: minute, day or month.';

COMMENT ON COLUMN article.published_source IS 'Evidence that gave the time of publication, such as json-ld or meta.';

COMMENT ON COLUMN article.offset_given IS 'True: the page states the offset; false: the time zone of the portal was assumed.';

COMMENT ON COLUMN article.modified_at IS 'Time of the latest change that the page declares, in UTC.';

COMMENT ON COLUMN article.modified_offset_minutes IS 'Offset from UTC, in minutes, at `modified_at`.';

COMMENT ON COLUMN article.section_id IS 'Section of the article.';

COMMENT ON COLUMN article.section_source IS 'Evidence that gave the section, such as breadcrumb or listing.';

COMMENT ON COLUMN article.language IS 'Language that the page declares, or the portal''s, as a BCP 47 tag.';

COMMENT ON COLUMN article.language_detected IS 'Language of the body, where it differs from `language`.';

COMMENT ON COLUMN article.image_url IS 'URL of the main image.';

COMMENT ON COLUMN article.genre IS 'Genre: news, opinion, interview, live, gallery or sponsored.';

COMMENT ON COLUMN article.free IS 'False: behind a paywall; NULL: the page does not say.';

COMMENT ON COLUMN article.word_count IS 'Words of the body; Chinese and Japanese count by characters.';

COMMENT ON COLUMN article.fetched_at IS 'Time at which this text was fetched, in UTC.';

COMMENT ON COLUMN article.method IS 'Method that found the body.';

COMMENT ON COLUMN article.confidence IS 'Expected F1 of the body, 0 to 1.';

COMMENT ON COLUMN article.minhash IS 'MinHash signature of the body, 64 numbers of 32 bits; NULL if it is too short.';

COMMENT ON COLUMN article.similar_to_id IS 'Earlier article, on any portal, with nearly the same text.';

COMMENT ON COLUMN article.corrections IS 'How often the portal has changed the text.';

COMMENT ON COLUMN article.corrected_at IS 'Time at which the latest change was found, in UTC.';

COMMENT ON COLUMN article.gone_at IS 'Time at which its URL was found to answer that the article is gone, in UTC; NULL: it was there.';

COMMENT ON COLUMN article.http_status IS 'HTTP status with which it was gone.';

COMMENT ON COLUMN article.dated_at IS 'Time by which articles are sorted: `published_at`, or else `fetched_at`. Computed.';

COMMENT ON COLUMN article.day IS 'Local day of publication; of an article without a date, the UTC day on which it was fetched. Computed.';

CREATE TABLE request (
    id BIGSERIAL NOT NULL,
    sent_at TIMESTAMP WITH TIME ZONE NOT NULL,
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

COMMENT ON TABLE request IS 'Log of requests; rows older than 30 days are deleted.';

COMMENT ON COLUMN request.id IS 'Number of the request.';

COMMENT ON COLUMN request.sent_at IS 'Time of sending, in UTC.';

COMMENT ON COLUMN request.host IS 'Host name.';

COMMENT ON COLUMN request.address IS 'IP address; NULL if no connection was made.';

COMMENT ON COLUMN request.portal_id IS 'Portal; NULL for a single page (`newscrawler extract URL`).';

COMMENT ON COLUMN request.run_id IS 'Run that sent it.';

COMMENT ON COLUMN request.kind IS 'What was requested: page, robots, tdm (tdmrep.json) or part (of an article).';

COMMENT ON COLUMN request.http_status IS 'HTTP status; NULL if there was no response.';

COMMENT ON COLUMN request.reason IS 'Why the request failed.';

COMMENT ON COLUMN request.bytes IS 'Bytes of the body as transferred.';

COMMENT ON COLUMN request.duration_ms IS 'Milliseconds from sending to the end of the response.';

COMMENT ON COLUMN request.delay_seconds IS 'Delay in force between the request before and this one.';

CREATE TABLE article_author (
    article_id BIGINT NOT NULL,
    position SMALLINT NOT NULL,
    author_id INTEGER NOT NULL,
    CONSTRAINT pk_article_author PRIMARY KEY (article_id, position),
    CONSTRAINT fk_article_author_article_id_article FOREIGN KEY(article_id) REFERENCES article (id) ON DELETE CASCADE,
    CONSTRAINT fk_article_author_author_id_author FOREIGN KEY(author_id) REFERENCES author (id)
);

CREATE INDEX ix_article_author_author ON article_author (author_id, article_id);

COMMENT ON TABLE article_author IS 'Which authors an article names, in the order of its byline.';

COMMENT ON COLUMN article_author.article_id IS 'Article.';

COMMENT ON COLUMN article_author.position IS 'Place in the byline, from 1.';

COMMENT ON COLUMN article_author.author_id IS 'Author.';

CREATE TABLE article_keyword (
    article_id BIGINT NOT NULL,
    position SMALLINT NOT NULL,
    keyword_id INTEGER NOT NULL,
    CONSTRAINT pk_article_keyword PRIMARY KEY (article_id, position),
    CONSTRAINT fk_article_keyword_article_id_article FOREIGN KEY(article_id) REFERENCES article (id) ON DELETE CASCADE,
    CONSTRAINT fk_article_keyword_keyword_id_keyword FOREIGN KEY(keyword_id) REFERENCES keyword (id)
);

CREATE INDEX ix_article_keyword_keyword ON article_keyword (keyword_id, article_id);

COMMENT ON TABLE article_keyword IS 'Which keywords an article declares, in its order.';

COMMENT ON COLUMN article_keyword.article_id IS 'Article.';

COMMENT ON COLUMN article_keyword.position IS 'Place in the list of the page, from 1.';

COMMENT ON COLUMN article_keyword.keyword_id IS 'Keyword.';

CREATE TABLE article_url (
    article_id BIGINT NOT NULL,
    url_hash BYTEA NOT NULL,
    url TEXT NOT NULL,
    kind VARCHAR(10) NOT NULL,
    first_seen_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_article_url PRIMARY KEY (article_id, url_hash),
    CONSTRAINT ck_article_url_kind CHECK (kind IN ('canonical', 'duplicate', 'former')),
    CONSTRAINT fk_article_url_article_id_article FOREIGN KEY(article_id) REFERENCES article (id) ON DELETE CASCADE
);

CREATE INDEX ix_article_url_url ON article_url USING hash (url);

COMMENT ON TABLE article_url IS 'Further URLs of articles: canonical ones, duplicates, and those that an article has left.';

COMMENT ON COLUMN article_url.article_id IS 'Article.';

COMMENT ON COLUMN article_url.url_hash IS 'BLAKE2b hash, 16 bytes, of `url`.';

COMMENT ON COLUMN article_url.url IS 'URL at which the article stands or stood; `article.url` is not repeated here.';

COMMENT ON COLUMN article_url.kind IS 'canonical: declared by the page; duplicate: another URL; former: moved away.';

COMMENT ON COLUMN article_url.first_seen_at IS 'Time at which the URL was connected with the article, in UTC; NULL if unknown.';

CREATE TABLE frontier (
    id BIGSERIAL NOT NULL,
    portal_id INTEGER NOT NULL,
    url TEXT NOT NULL,
    url_hash BYTEA NOT NULL,
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
    found_on_id BIGINT,
    sources SMALLINT NOT NULL,
    hints JSON,
    found_at TIMESTAMP WITH TIME ZONE NOT NULL,
    fetched_at TIMESTAMP WITH TIME ZONE,
    retry_at TIMESTAMP WITH TIME ZONE,
    revisit_at TIMESTAMP WITH TIME ZONE,
    visits JSON,
    round INTEGER NOT NULL,
    seen_round INTEGER DEFAULT '0' NOT NULL,
    run_id INTEGER,
    etag VARCHAR(300),
    last_modified VARCHAR(60),
    article_id BIGINT,
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

COMMENT ON TABLE frontier IS 'Every URL of each portal with its state: the queue and its history.';

COMMENT ON COLUMN frontier.id IS 'Number of the URL.';

COMMENT ON COLUMN frontier.portal_id IS 'Portal to which the URL belongs.';

COMMENT ON COLUMN frontier.url IS 'Canonical form of the URL.';

COMMENT ON COLUMN frontier.url_hash IS 'BLAKE2b hash, 16 bytes, of `url`.';

COMMENT ON COLUMN frontier.kind IS 'What the URL is expected to be, before it is fetched.';

COMMENT ON COLUMN frontier.kind_reason IS 'Why it is expected to be that.';

COMMENT ON COLUMN frontier.priority IS 'Order of fetching; smaller is earlier.';

COMMENT ON COLUMN frontier.depth IS 'Links from a start URL.';

COMMENT ON COLUMN frontier.redirects IS 'Redirects in a row that led to the URL.';

COMMENT ON COLUMN frontier.state IS 'State in the queue.';

COMMENT ON COLUMN frontier.outcome IS 'What the latest fetch showed.';

COMMENT ON COLUMN frontier.http_status IS 'HTTP status of the latest fetch; NULL if there was no response.';

COMMENT ON COLUMN frontier.reason IS 'Why the URL gave no article, or is not fetched.';

COMMENT ON COLUMN frontier.detail IS 'What the reason is about.';

COMMENT ON COLUMN frontier.attempts IS 'Failed attempts in a row.';

COMMENT ON COLUMN frontier.new_articles IS 'New URLs of articles that the latest visit to it found.';

COMMENT ON COLUMN frontier.empty_visits IS 'Latest visits in a row that found no new article.';

COMMENT ON COLUMN frontier.found_on_id IS 'Page, feed or sitemap on which the URL was found first.';

COMMENT ON COLUMN frontier.sources IS 'Bits: 1 found in links, 2 in feeds, 4 in sitemaps.';

COMMENT ON COLUMN frontier.hints IS 'Dates and sections seen beside links to the URL: [[source, text], ...].';

COMMENT ON COLUMN frontier.found_at IS 'Time at which the URL was found first, in UTC.';

COMMENT ON COLUMN frontier.fetched_at IS 'Time of the latest fetch, in UTC.';

COMMENT ON COLUMN frontier.retry_at IS 'Earliest time of the next attempt, in UTC.';

COMMENT ON COLUMN frontier.revisit_at IS 'Time from which a listing is worth another visit, in UTC; NULL: at once.';

COMMENT ON COLUMN frontier.visits IS 'Latest visits to a listing: [[time, new articles], ...].';

COMMENT ON COLUMN frontier.round IS 'Round of the portal in which the URL was last processed.';

COMMENT ON COLUMN frontier.seen_round IS 'Latest round in which a page, feed or sitemap led to the URL.';

COMMENT ON COLUMN frontier.run_id IS 'Run that holds the lease of the URL.';

COMMENT ON COLUMN frontier.etag IS 'ETag of the latest response.';

COMMENT ON COLUMN frontier.last_modified IS 'Last-Modified of the latest response.';

COMMENT ON COLUMN frontier.article_id IS 'Article that the URL shows.';

CREATE TABLE minhash_band (
    hash INTEGER NOT NULL,
    article_id BIGINT NOT NULL,
    CONSTRAINT pk_minhash_band PRIMARY KEY (hash, article_id),
    CONSTRAINT fk_minhash_band_article_id_article FOREIGN KEY(article_id) REFERENCES article (id) ON DELETE CASCADE
);

CREATE INDEX ix_minhash_band_article ON minhash_band (article_id);

COMMENT ON TABLE minhash_band IS 'Bands of the MinHash signatures (locality-sensitive hashing): articles that share one may have nearly the same text.';

COMMENT ON COLUMN minhash_band.hash IS 'Hash, 32 bits, of one of the 16 bands of a signature.';

COMMENT ON COLUMN minhash_band.article_id IS 'Article with this band.';

CREATE TABLE page (
    id BIGSERIAL NOT NULL,
    portal_id INTEGER NOT NULL,
    warc_id BIGINT NOT NULL,
    round INTEGER NOT NULL,
    url TEXT NOT NULL,
    url_hash BYTEA NOT NULL,
    fetched_at TIMESTAMP WITH TIME ZONE NOT NULL,
    warc_offset BIGINT NOT NULL,
    warc_length INTEGER NOT NULL,
    size INTEGER NOT NULL,
    digest VARCHAR(60) NOT NULL,
    outcome VARCHAR(16),
    reason VARCHAR(60),
    detail TEXT,
    article_id BIGINT,
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

COMMENT ON TABLE page IS 'Pages that were kept, each as it was fetched at one time, and where they are kept.';

COMMENT ON COLUMN page.id IS 'Number of the page.';

COMMENT ON COLUMN page.portal_id IS 'Portal.';

COMMENT ON COLUMN page.warc_id IS 'File that holds the page.';

COMMENT ON COLUMN page.round IS 'Round of the portal in which it was fetched.';

COMMENT ON COLUMN page.url IS 'URL of the page.';

COMMENT ON COLUMN page.url_hash IS 'BLAKE2b hash, 16 bytes, of `url`.';

COMMENT ON COLUMN page.fetched_at IS 'Time of fetching, in UTC.';

COMMENT ON COLUMN page.warc_offset IS 'Offset of the WARC record in the file, in bytes.';

COMMENT ON COLUMN page.warc_length IS 'Length of the WARC record, in bytes.';

COMMENT ON COLUMN page.size IS 'Length of the content, in bytes.';

COMMENT ON COLUMN page.digest IS 'Digest of the content, as in the WARC record.';

COMMENT ON COLUMN page.outcome IS 'What the page was taken for; part: a further page of an article.';

COMMENT ON COLUMN page.reason IS 'Why the page gave no article.';

COMMENT ON COLUMN page.detail IS 'What the reason is about.';

COMMENT ON COLUMN page.article_id IS 'Article that the page shows.';

COMMENT ON COLUMN page.reading IS 'Figures of how the page was read, for the detection of layout drift.';

CREATE TABLE revision (
    id BIGSERIAL NOT NULL,
    article_id BIGINT NOT NULL,
    fetched_at TIMESTAMP WITH TIME ZONE NOT NULL,
    headline TEXT NOT NULL,
    lead TEXT,
    paragraphs JSON NOT NULL,
    modified_at TIMESTAMP WITH TIME ZONE,
    modified_offset_minutes SMALLINT,
    reason VARCHAR(10) NOT NULL,
    detail TEXT,
    record JSON,
    CONSTRAINT pk_revision PRIMARY KEY (id),
    CONSTRAINT ck_revision_reason CHECK (reason IN ('corrected', 'reread')),
    CONSTRAINT fk_revision_article_id_article FOREIGN KEY(article_id) REFERENCES article (id) ON DELETE CASCADE
);

CREATE INDEX ix_revision_article_id ON revision (article_id);

COMMENT ON TABLE revision IS 'Earlier texts of articles.';

COMMENT ON COLUMN revision.id IS 'Number of the revision.';

COMMENT ON COLUMN revision.article_id IS 'Article.';

COMMENT ON COLUMN revision.fetched_at IS 'Time at which this earlier text was fetched, in UTC.';

COMMENT ON COLUMN revision.headline IS 'Headline at that time.';

COMMENT ON COLUMN revision.lead IS 'Lead at that time, as in `article`.';

COMMENT ON COLUMN revision.paragraphs IS 'Body at that time, as in `article`.';

COMMENT ON COLUMN revision.modified_at IS 'Time of change that the page declared then, in UTC.';

COMMENT ON COLUMN revision.modified_offset_minutes IS 'Offset from UTC, in minutes, at `modified_at`; NULL if unknown.';

COMMENT ON COLUMN revision.reason IS 'corrected: the portal changed the text; reread: newscrawler read the page anew.';

COMMENT ON COLUMN revision.detail IS 'Why the page was read anew.';

COMMENT ON COLUMN revision.record IS 'Whole earlier record, where the page was read anew.';

CREATE TABLE reservation (
    id BIGSERIAL NOT NULL,
    portal_id INTEGER NOT NULL,
    url_id BIGINT NOT NULL,
    kind VARCHAR(20) NOT NULL,
    statement VARCHAR(200) NOT NULL,
    place VARCHAR(40) NOT NULL,
    is_granted BOOLEAN NOT NULL,
    policy TEXT,
    effective_at TIMESTAMP WITH TIME ZONE,
    first_seen_at TIMESTAMP WITH TIME ZONE NOT NULL,
    last_seen_at TIMESTAMP WITH TIME ZONE NOT NULL,
    ended_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_reservation PRIMARY KEY (id),
    CONSTRAINT ck_reservation_kind CHECK (kind IN ('noindex', 'nofollow', 'noarchive', 'unavailable_after', 'tdm')),
    CONSTRAINT fk_reservation_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id),
    CONSTRAINT fk_reservation_url_id_frontier FOREIGN KEY(url_id) REFERENCES frontier (id)
);

CREATE INDEX ix_reservation_portal ON reservation (portal_id, kind);

CREATE INDEX ix_reservation_url ON reservation (url_id);

COMMENT ON TABLE reservation IS 'Rights that publishers reserve for single pages; rows stay when a reservation ends or an article is purged.';

COMMENT ON COLUMN reservation.id IS 'Number of the reservation.';

COMMENT ON COLUMN reservation.portal_id IS 'Portal.';

COMMENT ON COLUMN reservation.url_id IS 'URL in the frontier that the reservation is about.';

COMMENT ON COLUMN reservation.kind IS 'What is reserved.';

COMMENT ON COLUMN reservation.statement IS 'The words of the publisher.';

COMMENT ON COLUMN reservation.place IS 'Where it was declared, such as X-Robots-Tag or meta robots.';

COMMENT ON COLUMN reservation.is_granted IS 'True: the opposite was declared, text mining is allowed for this page.';

COMMENT ON COLUMN reservation.policy IS 'URL of the conditions.';

COMMENT ON COLUMN reservation.effective_at IS 'Time from which unavailable_after holds, in UTC.';

COMMENT ON COLUMN reservation.first_seen_at IS 'Visit at which it was seen first, in UTC.';

COMMENT ON COLUMN reservation.last_seen_at IS 'Latest visit at which it was seen, in UTC.';

COMMENT ON COLUMN reservation.ended_at IS 'First visit at which it was no longer declared, in UTC; NULL: it still holds.';

CREATE TABLE review (
    id BIGSERIAL NOT NULL,
    portal_id INTEGER NOT NULL,
    article_id BIGINT NOT NULL,
    page_id BIGINT NOT NULL,
    faults JSON NOT NULL,
    gold JSON,
    note TEXT NOT NULL,
    reviewed_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_review PRIMARY KEY (id),
    CONSTRAINT uq_review_article_id UNIQUE (article_id),
    CONSTRAINT fk_review_portal_id_portal FOREIGN KEY(portal_id) REFERENCES portal (id),
    CONSTRAINT fk_review_article_id_article FOREIGN KEY(article_id) REFERENCES article (id) ON DELETE CASCADE,
    CONSTRAINT fk_review_page_id_page FOREIGN KEY(page_id) REFERENCES page (id)
);

CREATE INDEX ix_review_page_id ON review (page_id);

COMMENT ON TABLE review IS 'Reviews of articles by people.';

COMMENT ON COLUMN review.id IS 'Number of the review.';

COMMENT ON COLUMN review.portal_id IS 'Portal of the article.';

COMMENT ON COLUMN review.article_id IS 'Article that was reviewed.';

COMMENT ON COLUMN review.page_id IS 'Page that the reviewer saw.';

COMMENT ON COLUMN review.faults IS 'Faults, as a JSON list of words; empty: the article is right.';

COMMENT ON COLUMN review.gold IS 'Corrected record; NULL: not corrected.';

COMMENT ON COLUMN review.note IS 'Note of the reviewer.';

COMMENT ON COLUMN review.reviewed_at IS 'Time of the review, in UTC.';

CREATE TABLE verdict (
    id BIGSERIAL NOT NULL,
    article_id BIGINT NOT NULL,
    reviewer VARCHAR(100) NOT NULL,
    page_id BIGINT NOT NULL,
    faults JSON NOT NULL,
    gold JSON,
    note TEXT NOT NULL,
    reviewed_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_verdict PRIMARY KEY (id),
    CONSTRAINT uq_verdict_article_id UNIQUE (article_id, reviewer),
    CONSTRAINT fk_verdict_article_id_article FOREIGN KEY(article_id) REFERENCES article (id) ON DELETE CASCADE,
    CONSTRAINT fk_verdict_page_id_page FOREIGN KEY(page_id) REFERENCES page (id)
);

CREATE INDEX ix_verdict_reviewer ON verdict (reviewer, reviewed_at);

COMMENT ON TABLE verdict IS 'What each reviewer says of an article; `review` holds what counts.';

COMMENT ON COLUMN verdict.id IS 'Number of the verdict.';

COMMENT ON COLUMN verdict.article_id IS 'Article.';

COMMENT ON COLUMN verdict.reviewer IS 'Name of the reviewer.';

COMMENT ON COLUMN verdict.page_id IS 'Kept page that the reviewer saw.';

COMMENT ON COLUMN verdict.faults IS 'Faults, as a JSON list of words; empty: the article is right.';

COMMENT ON COLUMN verdict.gold IS 'Corrected record, as in `review`; NULL: not corrected.';

COMMENT ON COLUMN verdict.note IS 'Remark of the reviewer.';

COMMENT ON COLUMN verdict.reviewed_at IS 'Time of the verdict, in UTC.';

CREATE TABLE article_search (article_id BIGINT PRIMARY KEY REFERENCES article (id), words TSVECTOR NOT NULL);

CREATE INDEX ix_article_search_words ON article_search USING gin (words);
