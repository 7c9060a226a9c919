import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawler.discovery.urls import CLASSIFIERS, PageLink

_ROOT = Path(__file__).resolve().parents[3]
_DEVELOPMENT = _ROOT.parent / "shared" / "bench" / "links-dev.jsonl"
_PAGE = "https://example.com/"
_HEADLINE = "Council approves new bridge over the river"


def _classify(path, anchor="", where="", page=_PAGE):
    return CLASSIFIERS["default"](PageLink(href=page.rstrip("/") + path, page_url=page, anchor=anchor, where=where))


@pytest.mark.parametrize(
    ("path", "anchor"),
    [
        ("/?p=1058", ""),
        ("/2026/09/council-approves-bridge/", _HEADLINE),
        ("/2026/sep/council-approves-bridge.html", _HEADLINE),
        ("/sport/trener-odesel-po-trech-porazkach.html", "Trenér odešel po třech porážkách"),
        ("/zpravy/most-pres-reku-bude-hotovy/", "Most přes řeku bude hotový do konce roku"),
        ("/news/12345.html", _HEADLINE),
        ("/story.php?id=1234", _HEADLINE),
        ("/index.php?article1234", _HEADLINE),
        ("/index.php?id=5&tx_news_pi1[news]=77", _HEADLINE),
        ("/view.asp?newsid=33123", ""),
        ("/modules.php?name=News&file=article&sid=513", ""),
        ("/index.php?option=com_content&view=article&id=52", _HEADLINE),
        ("/articles/c4g5x7z9yzro", _HEADLINE),
        ("/article/123456.html", "首相が会見、新しい政策を発表"),
        ("/novosti/most-otkryt-posle-remonta", "Мост открыт после ремонта"),
    ],
)
def test_articles_are_known_by_link_alone(path, anchor):
    verdict = _classify(path, anchor, "main")

    assert verdict.label == "article"
    assert 0.3 < verdict.score <= 1
    assert verdict.score == verdict.article_score


@pytest.mark.parametrize(
    ("path", "anchor"),
    [
        ("/", "Home"),
        ("/?cat=3", "Sport"),
        ("/?m=202609", "September 2026"),
        ("/2026/09/", "September 2026"),
        ("/sport/", "Sport"),
        ("/world/europe", "Europe"),
        ("/category/kultura/", "Kultura"),
        ("/sport.html", "Sport"),
        ("/index.php?option=com_content&view=category&id=5", "Sport"),
        ("/%E6%94%BF%E6%B2%BB/", "政治"),
    ],
)
def test_sections_are_known_by_link_alone(path, anchor):
    assert _classify(path, anchor, "nav").label == "section"


@pytest.mark.parametrize(
    ("path", "anchor", "why"),
    [
        ("/?tag=x", "x", "tag"),
        ("/?s=x", "", "search"),
        ("/search/label/Sport", "Sport", "search"),
        ("/?author=4", "Jane", "author"),
        ("/tag/volby/", "volby", "tag"),
        ("/autor/jan-novak/", "Jan Novák", "author"),
        ("/category/x/page/2/", "2", "pagination"),
        ("/index-7.html", "7", "pagination"),
        ("/a-long-name-of-an-article/2/", "2", "pagination"),
        ("/wp-login.php", "Log in", "login"),
        ("/feed/", "RSS", "feed"),
        ("/categories/politics.xml", "RSS", "feed"),
        ("/?p=12&replytocom=4", "Reply", "comments"),
        ("/?p=12#comments", "3 comments", "comments"),
        ("/video/watch-the-bridge-opening", "Watch the bridge opening", "video"),
        ("/galerie/12345", "Fotky z otevření", "gallery"),
        ("/podcasts/", "Podcasts", "podcast"),
        ("/media/report.pdf", "Report", "asset"),
        ("/impressum", "Impressum", "legal"),
        ("/gallery.php?id=12", "Photos", "gallery"),
        ("/polityka-prywatnosci", "Polityka prywatności", "legal"),
        ("/print/1234", "Print", "print"),
    ],
)
def test_the_rest_is_other_with_a_word_why(path, anchor, why):
    verdict = _classify(path, anchor)

    assert (verdict.label, verdict.why) == ("other", why)


def test_another_domain_is_external_and_a_subdomain_is_not():
    judge_evidence = CLASSIFIERS["default"]

    assert judge_evidence(PageLink(href="https://other.org/sport/", page_url=_PAGE)).label == "external"
    assert judge_evidence(PageLink(href="mailto:a@example.com", page_url=_PAGE)).label == "external"
    assert judge_evidence(PageLink(href="https://sport.example.com/", page_url=_PAGE, anchor="Sport")).label == "section"
    assert judge_evidence(PageLink(href="http://127.0.0.1:2/", page_url="http://127.0.0.1:1/")).label == "external"


def test_tracking_parameters_change_nothing():
    plain, tracked = (_classify("/sport/" + tail, "Sport", "nav") for tail in ("", "?utm_source=menu&utm_medium=a"))

    assert plain == tracked


@given(st.text(max_size=50), st.text(max_size=50), st.text(max_size=10))
def test_any_link_gets_a_verdict(href, anchor, where):
    for prefix in ("", "https://example.com/"):
        verdict = CLASSIFIERS["default"](PageLink(href=prefix + href, page_url=_PAGE, anchor=anchor, where=where))
        assert 0 <= verdict.score <= 1
        assert 0 <= verdict.article_score <= 1


@pytest.mark.skipif(not _DEVELOPMENT.exists(), reason="no ../shared beside the repository")
def test_the_shipped_numbers_come_from_the_script_and_hold_what_they_promise(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(_ROOT / "tools"), *sys.path])
    from link_corpus import folds, read, scores
    from train_links import train

    from newscrawler.discovery.urls.classifiers import judge_evidence
    from newscrawler.discovery.urls.features import collect_evidence

    rows = read(_DEVELOPMENT)
    part = folds(rows, 4, 0)
    weights = train([row for row, fold in zip(rows, part, strict=True) if fold != 0])
    unseen = [row for row, fold in zip(rows, part, strict=True) if fold == 0 and not row.unsure]
    measured = scores((row.label, str(judge_evidence(collect_evidence(row.link), weights).label)) for row in unseen)

    assert measured["article"][2] > 0.88
    assert measured["section"][2] > 0.82


def test_the_weights_file_is_plain_numbers():
    path = _ROOT / "newscrawler" / "discovery" / "urls" / "default_weights.json"

    weights = json.loads(path.read_text(encoding="utf-8"))["weights"]

    assert len(weights) > 100
    assert all(len(row) == 3 and all(isinstance(number, float) for number in row) for row in weights.values())


@pytest.mark.parametrize(
    ("path", "anchor", "why"),
    [
        ("/oroi-xrisis", "Όροι χρήσης", "legal"),
        ("/x1", "Επικοινωνία", "contact"),
        ("/x2", "سياسة الخصوصية", "legal"),
        ("/x3", "צור קשר", "contact"),
        ("/guanyu", "关于我们", "about"),
        ("/x4", "プライバシーポリシー", "legal"),
        ("/lien-he", "Liên hệ", "contact"),
        ("/tentang-kami", "Tentang Kami", "about"),
        ("/reklaam", "Reklaam", "advertising"),
    ],
)
def test_service_pages_are_known_in_further_languages(path, anchor, why):
    verdict = CLASSIFIERS["default"](
        PageLink(href=f"https://a.example{path}", page_url="https://a.example/", anchor=anchor, where="footer")
    )

    assert (str(verdict.label), verdict.why) == ("other", why)


@pytest.mark.parametrize(
    ("href", "label"),
    [
        ("https://example.com/a?x=y", "article"),
        ("https://example.com/2026-some-title", "article"),
        ("https://example.com/sport/", "section"),
        ("https://example.com/%C5%BEivot/", "section"),
        ("https://example.com/%C5%BEivot-7", "article"),
        ("https://www.example.com/", "section"),
        ("https://other.org/2026", "external"),
        ("mailto:a@example.com", "external"),
        ("https://example.com/about?", "section"),
    ],
)
def test_query_or_digits_make_an_article(href, label):
    assert CLASSIFIERS["documents"](PageLink(href=href, page_url="https://example.com/")).label == label
