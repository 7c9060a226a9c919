"""The pages in the markup of real forums, shops and listings that models learn from."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import pytest

from newscrawler.page import Document
from training.pages import KINDS, load
from training.sitegen.software import LANGUAGES, SITES, list_software, load_banks, load_strings, software_pages, software_sites

#: Class names, ids and types that the default templates of the software have.
NAMES = {
    ("phpbb", "forum"): ("postprofile", "back2top", "topic-title", "signature"),
    ("vbulletin", "forum"): ("post_message_", "showthread", "vBulletin"),
    ("vbulletin5", "forum"): ("b-post__body", "js-post__content-text"),
    ("xenforo", "forum"): ("message-userContent", "p-title-value", "bbWrapper"),
    ("xenforo1", "forum"): ("messageUserInfo", "messageList"),
    ("discourse", "forum"): ("Discourse", "data-topic-id"),
    ("smf", "forum"): ("postarea", "keyinfo"),
    ("mybb", "forum"): ("post_author", "postbit_quote"),
    ("invision", "forum"): ("cAuthorPane", "ipsComment"),
    ("bbpress", "forum"): ("bbp-reply-content", "bbpress-forums"),
    ("wpforo", "forum"): ("wpforo-post-content", "wpf-author"),
    ("vanilla", "forum"): ("ItemDiscussion", "MessageList"),
    ("nodebb", "forum"): ("posts-container", "component"),
    ("fluxbb", "forum"): ("punviewtopic", "blockpost"),
    ("stackexchange", "forum"): ("js-post-body", "QAPage"),
    ("question2answer", "forum"): ("qa-q-view", "qa-vote-buttons"),
    ("oldreddit", "forum"): ("commentarea", "usertext-body"),
    ("reddit", "forum"): ("shreddit-post", "shreddit-comment"),
    ("lemmy", "forum"): ("comment-node", "person-listing"),
    ("hackernews", "forum"): ("athing", "hnuser"),
    ("lobsters", "forum"): ("comments_subtree",),
    ("woocommerce", "product"): ("single_add_to_cart_button", "product_meta"),
    ("woocommerce", "collection"): ("woocommerce-LoopProduct-link",),
    ("shopify", "product"): ("product-form", "shopify-section"),
    ("shopify", "collection"): ("product-grid", "facets__form"),
    ("magento", "product"): ("product_addtocart_form",),
    ("magento", "collection"): ("product-item-link", "toolbar-sorter"),
    ("prestashop", "product"): ("add-to-cart-or-refresh",),
    ("opencart", "product"): ("button-cart", "product-product"),
    ("squarespace", "product"): ("ProductItem-details", "sqs-add-to-cart-button"),
    ("wix", "product"): ("product-page", "add-to-cart"),
    ("bigcommerce", "product"): ("productView-title", "form-action-addToCart"),
    ("joomla", "listing"): ("com-content-category-blog",),
    ("blogger", "tag"): ("status-msg-body", "blog-posts"),
    ("wordpress", "listing"): ("archive category",),
    ("drupal", "listing"): ("views-row", "node--view-mode-teaser"),
    ("listings", "section"): ("tribe-events-calendar-list",),
}


@cache
def read_pages() -> tuple[dict[str, Any], ...]:
    return tuple(software_pages())


def test_the_same_pages_are_written_every_time() -> None:
    assert tuple(software_pages()) == read_pages()


def test_every_software_runs_on_hosts_of_its_own_in_several_languages() -> None:
    hosts, languages = defaultdict(set), defaultdict(set)
    for page in read_pages():
        host = urlsplit(page["url"]).hostname or ""
        assert host == f"{page['source']}.example"
        hosts[host.rsplit("-", 1)[0]].add(host)
    for site in software_sites():
        languages[site.software].add(site.language)

    assert set(hosts) == set(list_software())
    assert {len(found) for found in hosts.values()} == {SITES}
    assert set().union(*languages.values()) == set(LANGUAGES)
    assert sorted(map(len, languages.values()))[5] == SITES


def test_pages_have_kinds_that_the_models_know_and_addresses_of_their_own() -> None:
    pages = read_pages()

    assert {page["kind"] for page in pages} <= {None, *KINDS}
    assert len({page["id"] for page in pages}) == len(pages)
    assert max(Counter(page["url"] for page in pages).values()) == 1


def test_every_page_parses_and_has_a_title_and_blocks() -> None:
    for page in read_pages():
        document = Document.parse(page["html"], page["url"])
        assert document.title, page["id"]
        assert len(document.layout.blocks) > 2, page["id"]


def test_articles_show_their_gold_text() -> None:
    articles = [page for page in read_pages() if page["kind"] is None]

    assert articles
    for page in articles:
        text = "\n".join(block.text for block in Document.parse(page["html"], page["url"]).layout.blocks)
        assert page["gold"]["title"] in text, page["id"]
        for line in page["gold"]["body"].split("\n"):
            assert " ".join(line.split()) in text, page["id"]


@pytest.mark.parametrize("software", list_software())
def test_pages_have_the_names_that_the_software_gives(software: str) -> None:
    known = {kind: names for (name, kind), names in NAMES.items() if name == software}
    for page in read_pages():
        if page["source"].rsplit("-", 1)[0] == software and page["kind"] in known:
            assert any(name in page["html"] for name in known[page["kind"]]), page["id"]


def test_labels_and_texts_are_complete_in_every_language() -> None:
    assert all(set(said) == set(LANGUAGES) and all(map(all, said.values())) for said in load_strings().values())
    assert set(load_banks()) == set(LANGUAGES)
    assert all(set(bank) == {"places", "topics", "sentences", "shorts", "products", "wares"} for bank in load_banks().values())


def test_the_pages_are_a_data_set(tmp_path: Any) -> None:
    first = next(iter(load(tmp_path, "software")))

    assert first.dataset == "software"
    assert first.host == urlsplit(first.url).hostname
