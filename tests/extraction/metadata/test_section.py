"""The section of an article as themes of publishing systems show it, where the address and the head do not name it."""

from __future__ import annotations

import pytest

from newscrawler.extraction.metadata.section import find_section
from newscrawler.page import Document

HEADLINE = "<h1>Pes pokousal starostu v parku</h1><p>Starosta šel v pondělí ráno parkem, když ho u kašny pokousal pes.</p>"
THEMES = {
    "WordPress: in the footer of the article, with all categories in the menu and beside": """
        <nav><ul><li><a href="/?cat=2">Politics</a><li><a href="/?cat=3">Business</a><li><a href="/?cat=4">Local</a></ul></nav>
        <main><article class="post-7 hentry">{}<footer class="entry-footer">
            <span class="cat-links">Categorized as <a href="/?cat=4" rel="category">Local</a></span>
            <span class="tags-links">Tagged <a href="/?tag=energy" rel="tag">energy</a></span>
        </footer></article></main>
        <aside><h2>Categories</h2><ul><li class="category"><a href="/?cat=3">Business</a>
            <li class="category"><a href="/?cat=4">Local</a><li class="category"><a href="/?cat=2">Politics</a></ul></aside>
        """,
    "WordPress before HTML 5: the entry of a menu without a nav element": """
        <div id="access" role="navigation"><div class="menu-header"><ul><li class="menu-item"><a href="/?cat=2">Wirtschaft</a>
            <li class="menu-item current-post-ancestor"><a href="/?cat=3">Kultur</a>
            <li class="menu-item"><a href="/?cat=4">Sport</a></ul></div></div>
        <div id="content"><div class="post-7 hentry category-kultur">{}</div></div>
        <div id="footer"><a href="/impressum">Impressum</a></div>
        """,
    "WordPress with blocks: the terms of the article, and those of others": """
        <main><article class="post-7 hentry">
            <div class="taxonomy-category wp-block-post-terms"><a href="/?cat=2" rel="tag">Gospodarka</a></div>{}</article>
        <article><h3><a href="/?p=8">Radni spierają się o most</a></h3>
            <div class="taxonomy-category wp-block-post-terms"><a href="/?cat=3" rel="tag">Sport</a></div></article>
        <article><h3><a href="/?p=9">Pociąg spóźnił się o godzinę</a></h3>
            <div class="taxonomy-category wp-block-post-terms"><a href="/?cat=4" rel="tag">Kraj</a></div></article></main>
        """,
    "WordPress: the class of the article, which a link words": """
        <nav><a href="/rubrika/domaci-politika/">Domácí politika</a><a href="/rubrika/sport/">Sport</a></nav>
        <article class="post-7 post type-post hentry category-domaci-politika tag-pes">{}</article>
        """,
    "Pelican: the active entry of the menu": """
        <header><nav><ul><li class="active"><a href="/section/economie/">Économie</a>
            <li><a href="/section/sport/">Sport</a></ul></nav></header><section><article>{}</article></section>
        """,
    "Nikola: tags as microformats write them": """
        <nav><a href="/categories/cat_politika/">Politika</a><a href="/categories/cat_sport/">Sport</a></nav>
        <article>{}<aside><nav><ul itemprop="keywords">
            <li><a class="tag p-category" href="/categories/soud/" rel="tag">soud</a></ul></nav></aside></article>
        """,
    "Hexo: a link in a class of many categories": """
        <nav><a href="/archives/">Archiv</a><a href="/about/">Über uns</a></nav><header><span class="date">2026-11-10</span>
            <a class="post-meta-categories" href="/categories/verkehr/">Verkehr</a></header><main><article>{}</article></main>
        """,
    "Hexo: an address of categories, and those of other articles in their cards": """
        <div class="card"><div class="level"><a class="link-muted" href="/categories/verkehr/">Verkehr</a></div>{}</div>
        <article><a href="/?p=8">Radní se přou o most</a><p class="categories"><a href="/?cat=2">Sport</a></p></article>
        <article><a href="/?p=9">Vlak se opozdil</a><p class="categories"><a href="/?cat=3">Kraj</a></p></article>
        """,
    "Hexo: an address of categories in a list in a list": """
        <div><span class="article-categories"><ul><li><a href="/categories/verkehr/">Verkehr</a></li></ul></span></div>
        <main>{}</main>
        """,
    "Hexo: the only article below a headline outside of it": """
        <header>{}</header>
        <article><footer><a class="article-category-link" href="/categories/verkehr/">Verkehr</a></footer></article>
        """,
    "MkDocs: the category in the margin, that of all categories in a menu": """
        <nav><a href="../../category/kultur/">Kultur</a><a href="../../category/sport/">Sport</a>
            <a href="../../category/verkehr/">Verkehr</a></nav>
        <div><aside><nav><a href="../../category/verkehr/">Verkehr</a></nav></aside><article>{}</article></div>
        """,
    "Starlight: entries that say that they are not the current one, with the number of their articles": """
        <nav><a href="/blog/" aria-current="false">Todo</a></nav><main>{}</main>
        <nav><a href="/blog/tags/sport/" aria-current="false">Sport (7)</a><a href="/blog/tags/doprava/">Doprava (12)</a></nav>
        """,
    "Eleventy: the last entry of the menu above the headline": """
        <header><a href="/">Harrow Courier</a><nav><h2>Top level navigation menu</h2><ul class="nav">
            <li class="nav-item"><a href="/">Home</a></li><li class="nav-item"><a href="/blog/">Archive</a></li>
            <li class="nav-item"><a href="/about/">About Me</a></li></ul></nav></header><main>{}</main>
        """,
    "all categories, and none is marked": """
        <nav><a href="/?cat=2">Politika</a><a href="/?cat=3">Sport</a></nav><article>{}</article>
        <aside><ul><li class="cat-item"><a href="/?cat=2">Politika</a><li class="cat-item"><a href="/?cat=3">Sport</a></ul></aside>
        """,
    "links that do something on the page, parted as a path is": """
        <main>{}<p><a href="/">U.S.</a> | <a href="/arabic/">Arabic</a> | <a href="javascript:setEdition();">Set Pref</a></p></main>
        """,
    "a link to more posts of a category that is not the article's": """
        <article>{}<p><a href="/category/featured/">More featured posts</a></p></article>
        """,
    "a link to the part of the publisher whose name is that of the host": """
        <article>{}<p><a href="//blogs.example.org/section/?cid=673">Blogs</a></p></article>
        """,
}


SECTIONS = (
    "Local",
    "Kultur",
    "Gospodarka",
    "Domácí politika",
    "Économie",
    None,
    "Verkehr",
    "Verkehr",
    "Verkehr",
    "Verkehr",
    "Verkehr",
    None,
    None,
    None,
    None,
    None,
    None,
)


@pytest.mark.parametrize(("theme", "section"), [*zip(THEMES, SECTIONS, strict=True)])
def test_the_section_is_that_of_the_article_itself(theme: str, section: str | None) -> None:
    body = THEMES[theme].format(HEADLINE)
    page = Document.parse(
        f"<html><head><title>Pes pokousal starostu v parku</title></head><body>{body}</body></html>", "https://www.example.org/?p=7"
    )

    assert find_section(page).name == section


@pytest.mark.parametrize(("crumbs", "section"), [("<a href=/posts/kultur/>Kultur</a>", "Kultur"), ("", "posts")])
def test_a_section_that_says_only_that_this_is_an_article_is_the_last_choice(crumbs: str, section: str) -> None:
    """Hugo declares the folder of all posts as the section."""
    head = "<title>Pes pokousal starostu v parku</title><meta property=article:section content=posts>"
    menu = "<nav><a href=/posts/kultur/>Kultur</a><a href=/posts/sport/>Sport</a></nav>"
    trail = f"<div class=breadcrumbs><a href=/>Home</a>»{crumbs}</div>"
    folder = "kultur/" if crumbs else ""
    page = Document.parse(f"{head}{menu}<article>{trail}{HEADLINE}</article>", f"https://www.example.org/posts/{folder}pes/")

    assert find_section(page).name == section


def test_a_section_of_the_address_has_the_wording_of_links_also_where_a_path_repeats_the_folder() -> None:
    page = Document.parse(
        f"<title>Pes pokousal starostu v parku</title><p class=breadcrumb><a href=../../>Domů</a> / <a href=../>domaci</a></p>"
        f"<article>{HEADLINE}</article><ul><li><a href=../>Domácí</a><li><a href=../../sport/>Sport</a></ul>",
        "https://www.example.org/domaci/pes/",
    )

    assert find_section(page).name == "Domácí"
