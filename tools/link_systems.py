"""How publishing systems that the labelled links lack write their addresses: made-up links, added when training only.

The labelled links come from large portals. Small ones run WordPress, Drupal, Joomla, Blogger, Ghost, Hugo or programs with a
number in the query, and some languages write without blanks between words. Each line: label, place on the page, path, text of
the link.
"""

from __future__ import annotations

from link_corpus import Labelled

from newscrawler.discovery.urls import PageLink

_LINKS = """
article|main|/node/1234|Council approves new bridge over the river
article|main|/node/98213|Read more
article|article|/node/771|
article||/story.php?id=1234|Council approves new bridge over the river
article|main|/news.php?id=88|Město opraví most až příští rok
article|main|/item.php?nid=55|Trainer leaves after three defeats
article|main|/clanek.php?id=2231|Číst dále
article|main|/view.asp?newsid=33123|Hospital opens its doors to visitors again
article|main|/council-approves-new-bridge/|
article|main|/council-approves-new-bridge/|Read more
article|article|/most-pres-reku-bude-hotovy/|Celý článek
article||/burmistrz-otworzyl-nowy-most/|Czytaj więcej
article|main|/neue-bruecke-wird-gebaut/|Weiterlesen
article|main|/el-puente-se-abre-manana/|Leer más
article|main|/un-pont-pour-la-ville/|Lire la suite
article|main|/bridge/|Council approves new bridge over the river
article|article|/bridge-opened/|The bridge over the river was opened by the mayor
article|main|/bridge|Council approves new bridge over the river
article|main|/council.html|Council approves new bridge over the river
article||/starosta.html|Starosta podepsal smlouvu na opravu mostu
article|main|/blog/bridge|Council approves new bridge over the river
article|main|/posts/bridge/|Council approves new bridge over the river
article|main|/post/most-otevren|Most byl po dvou letech otevřen
article|main|/p/bridge|Council approves new bridge over the river
article|main|/2026/11/20/council|Council
article|aside|/2026/11/council.html|Council
article|main|/2026/11/20/12345/|Council approves new bridge over the river
article|main|/2026/11/bridge-opened/|Read more
article|article|/2026/11/most/|Předchozí příspěvek
article|main|/2026/11/20/bridge-opened/|
article|main|/новости/12345-мост-открыт|Мост открыт после ремонта
article|main|/novini/most-vidkrili-pislya-remontu|Міст відкрили після ремонту
article|main|/ekonomi/haber/kopru-acildi-123456|Köprü açıldı
article|main|/gundem/kopru-yeniden-trafige-acildi-haberi-41234567|Köprü yeniden trafiğe açıldı
article|main|/nid/123/هذا-عنوان-المقال|هذا عنوان المقال الطويل جدا
article|main|/article/123456.html|首相が会見、新しい政策を発表
article|main|/n1/2026/1120/c1001-40123456.html|国务院发布新政策 明年起实施
article|main|/news/articleView.html?idxno=123456|시장, 새 다리 개통식에 참석
article|main|/ellada/561234567/i-gefyra-anoixe-gia-tin-kykloforia/|Η γέφυρα άνοιξε για την κυκλοφορία
article|main|/r~abc123def456/|Most přes řeku bude hotový do konce roku
article|main|/articles/c4g5x7z9yzro|Council approves new bridge over the river
article|main|/clanek/123456|Most přes řeku bude hotový do konce roku
article|main|/noticias/brasil/ponte-e-reaberta-apos-reforma-12345678|Ponte é reaberta após reforma
article|main|/artikel/burgemeester-opent-nieuwe-brug~a1b2c3d4|Burgemeester opent nieuwe brug
article|main|/a/QlXm2w/borgmester-aabner-ny-bro|Borgmester åbner ny bro efter to år
article|main|/uutiset/silta-avattiin-liikenteelle/12345|Silta avattiin liikenteelle
article|pagination|/zpravy/namestek-haji-obchvat-mesta/|Předchozí příspěvek
article|nav|/zpravy/starosta-otevrel-novy-most-pres-reku/|Další článek
article|nav|/2026/10/council-approves-new-bridge/|Next post
section|nav|/2026/11/20/|20
section|aside|/2026/11/|November 2026
section|nav|/2026/|2026
section|nav|/archives/|Archives
section|nav|/archive.html|Archiv
section|menu|/category/local-news/|Local news
section|nav|/categories/kultura/|Kultura
section|menu|/kategorie/z-kraje/|Z kraje
section|nav|/c/sport|Sport
section|nav|/cat/12|Local
section|nav|/rubriky/z-domova/|Z domova
section|menu|/taxonomy/term/12|Economy
section|nav|/sport.html|Sport
section|nav|/index.html|Home
section|nav|/posts/|Posts
section|nav|/blog/|Blog
section|nav|/articles/|All articles
section|nav|/политика|Политика
section|nav|/%E6%94%BF%E6%B2%BB/|政治
section|nav|/gundem|Gündem
section|nav|/ellada/|Ελλάδα
section|nav|/noticias/brasil/|Brasil
section|nav|/binnenland|Binnenland
section|nav|/indland/|Indland
section|nav|/kotimaa|Kotimaa
section|menu|/story.php?rubrik=sport|Sport
section|nav|/list.php?kategorie=5|Kultura
other|aside|/search/label/Sport|Sport
other|tags|/label/sport|Sport
other|tags|/tags/volby/|volby
other|article|/topics/bridge/|#bridge
other|article|/author/john-doe/|John Doe
other|author|/profile/jdoe|John Doe
other|author|/redakcni-tym/jan-novak/|Jan Novák
other|footer|/impressum|Impressum
other|footer|/o-nas/|O nás
other|footer|/pages/about.html|About us
other|nav|/pages/kontakt/|Kontakt
other|footer|/static/terms-of-use|Terms of use
other|footer|/privacy-policy/|Privacy policy
other|footer|/ochrana-osobnich-udaju/|Ochrana osobních údajů
other|nav|/forum/|Forum
other|nav|/viewtopic.php?t=5|Topic
other|main|/print/1234|Print
other|article|/news/a-1234/print|Print
other|header|/login?next=/|Sign in
other|nav|/user/register|Register
other|main|/gallery/12345|Photos from the opening of the bridge
other|main|/video/bridge-12345|Watch the bridge being opened by the mayor
other|nav|/live|Live
other|nav|/calendar/2031-05/|Next month
other|nav|/calendar?month=5&year=2031|Next month
other|nav|/kalendar/2026/12/|Prosinec
other|nav|/events/2026-11/|November
"""


def systems() -> list[Labelled]:
    """Give the made-up links."""
    rows = []
    for line in _LINKS.strip().splitlines():
        label, where, path, anchor = line.split("|", 3)
        link = PageLink(href=f"https://example.com{path}", page_url="https://example.com/", anchor=anchor, where=where)
        rows.append(Labelled(link=link, label=label, why="", site="", unsure=False))
    return rows
