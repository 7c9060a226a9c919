"""Whole pages of a portal of our own: menu, teasers in a side column, further links and a foot around any article.

No name in the markup says what anything is: classes are as machines make them.
"""

from __future__ import annotations

from newscrawler.page import Document

#: Headline, lead and paragraphs of one article by language.
TEXTS = {
    "en": (
        "Council approves the new bridge over the river",
        "After nine hours of debate the council of Harrow approved on Tuesday a bridge that residents have asked for since 1998.",
        "Work is to begin in spring, said mayor Edward Stanmore, and it will last for at least two years.",
        "The old bridge carries three times the load for which it was built, an engineer told the meeting.",
        "It will cost eleven million, of which the region pays half; the opposition called the price absurd.",
        "“We have waited long enough,” said a shopkeeper from Mill Street, who had come with her whole family.",
        "Until then lorries must take the road through Eastleigh, which adds about twenty minutes to the journey.",
    ),
    "cs": (
        "Zastupitelé schválili stavbu nového mostu přes řeku",
        "Po devíti hodinách jednání schválili zastupitelé v úterý stavbu mostu, po kterém obyvatelé volají už od roku 1998.",
        "Práce mají začít na jaře, řekl starosta Jan Dvořák, a potrvají nejméně dva roky.",
        "Starý most nese třikrát větší zátěž, než pro jakou byl postaven, uvedl na schůzi projektant.",
        "Stavba přijde na jedenáct milionů, z nichž polovinu zaplatí kraj; opozice označila cenu za nesmyslnou.",
        "„Čekali jsme už dost dlouho,“ řekla prodavačka z Mlýnské ulice, která přišla s celou rodinou.",
        "Do té doby musí nákladní auta jezdit přes Lhotu, což cestu prodlouží asi o dvacet minut.",
    ),
    "pl": (
        "Radni zgodzili się na budowę nowego mostu na rzece",
        "Po dziewięciu godzinach obrad radni zgodzili się we wtorek na budowę mostu, o który mieszkańcy prosili od 1998 roku.",
        "Prace mają się zacząć wiosną, powiedział burmistrz Jan Król, i potrwają co najmniej dwa lata.",
        "Stary most dźwiga trzy razy większe obciążenie, niż przewidziano, mówił na sesji projektant.",
        "Budowa pochłonie jedenaście milionów, z czego połowę da województwo; opozycja uważa tę cenę za absurdalną.",
        "„Czekaliśmy wystarczająco długo” – powiedziała sprzedawczyni z ulicy Młyńskiej, która przyszła z rodziną.",
        "Do tego czasu ciężarówki muszą jeździć przez Łąkę, co wydłuża podróż o jakieś dwadzieścia minut.",
    ),
    "de": (
        "Gemeinderat beschließt neue Brücke über den Fluss",
        "Nach neun Stunden Debatte hat der Gemeinderat am Dienstag eine Brücke beschlossen, um die Anwohner seit 1998 bitten.",
        "Die Arbeiten sollen im Frühjahr beginnen, sagte Bürgermeister Karl Huber, und mindestens zwei Jahre dauern.",
        "Die alte Brücke trägt das Dreifache der Last, für die sie gebaut wurde, sagte ein Ingenieur in der Sitzung.",
        "Sie kostet elf Millionen, von denen das Land die Hälfte zahlt; die Opposition nannte den Preis absurd.",
        "„Wir haben lange genug gewartet“, sagte eine Verkäuferin aus der Mühlgasse, die mit der Familie gekommen war.",
        "Bis dahin müssen Lastwagen durch Neudorf fahren, was den Weg um etwa zwanzig Minuten verlängert.",
    ),
    "ru": (
        "Депутаты одобрили строительство нового моста через реку",
        "После девяти часов споров депутаты во вторник одобрили строительство моста, о котором жители просят с 1998 года.",
        "Работы начнутся весной, сообщил мэр Иван Королёв, и продлятся не меньше двух лет.",
        "Старый мост выдерживает втрое больше, чем было рассчитано, сказал на заседании инженер.",
        "Мост обойдётся в одиннадцать миллионов, половину заплатит область; оппозиция назвала цену нелепой.",
        "«Мы ждали достаточно долго», — сказала продавщица с Мельничной улицы, пришедшая со всей семьёй.",
        "До тех пор грузовики поедут через Заречье, а это лишние двадцать минут пути.",
    ),
    "ar": (
        "المجلس يوافق على بناء جسر جديد فوق النهر",
        "بعد تسع ساعات من النقاش وافق المجلس يوم الثلاثاء على بناء جسر يطالب به السكان منذ عام 1998.",
        "وقال رئيس البلدية إن الأعمال ستبدأ في الربيع وستستمر عامين على الأقل.",
        "وأوضح مهندس خلال الجلسة أن الجسر القديم يحمل ثلاثة أضعاف الحمولة التي صمم من أجلها.",
        "وستبلغ الكلفة أحد عشر مليونا تدفع المنطقة نصفها، ووصفت المعارضة السعر بأنه غير معقول.",
        "وقالت بائعة من شارع الطاحونة جاءت مع عائلتها: لقد انتظرنا ما يكفي من الوقت.",
        "وحتى ذلك الحين يتعين على الشاحنات أن تسلك طريق القرية، ما يطيل الرحلة نحو عشرين دقيقة.",
    ),
    "zh": (
        "市议会批准在河上修建新桥",
        "经过九个小时的辩论，市议会星期二批准修建一座大桥，居民自1998年以来一直要求修建这座桥。",
        "市长表示，工程将于春季开始，至少持续两年，期间老桥仍然可以通行。",
        "一位工程师在会上说，旧桥承受的重量是设计标准的三倍，必须尽快更换。",
        "工程将耗资一千一百万，其中一半由地区支付；反对派称这个价格是荒谬的。",
        "一位带着全家前来的店主说：“我们已经等得够久了，希望这次能够真正动工。”",
        "在此之前，卡车必须绕行东边的村庄，路程大约需要增加二十分钟左右的时间。",
    ),
    "ja": (
        "市議会、川に架かる新しい橋の建設を承認",
        "九時間に及ぶ議論の末、市議会は火曜日、住民が1998年から求めてきた橋の建設を承認した。",
        "市長によると、工事は春に始まり、少なくとも二年間続く見通しだという。",
        "古い橋は設計の三倍の重さに耐えていると、技術者は会議で説明した。",
        "費用は千百万で、その半分を県が負担するが、野党はこの価格は馬鹿げていると批判した。",
        "「もう十分に待ちました」と、家族と一緒に来た商店街の女性は話していた。",
        "それまでの間、トラックは東の村を通らなければならず、およそ二十分余計にかかる。",
    ),
}
LANGUAGES = tuple(TEXTS)
#: Titles of other articles, for teasers: never those of the article itself.
OTHERS = {
    "en": ("Museum opens a wing for its clocks", "Bees on the library roof give honey", "Swimming pool stays closed until May"),
    "cs": ("Muzeum otevírá křídlo pro své hodiny", "Včely na střeše knihovny dávají med", "Bazén zůstává zavřený do května"),
    "pl": ("Muzeum otwiera skrzydło dla zegarów", "Pszczoły na dachu biblioteki dają miód", "Basen zamknięty do maja"),
    "de": ("Museum eröffnet einen Flügel für Uhren", "Bienen auf dem Dach geben Honig", "Das Bad bleibt bis Mai geschlossen"),
    "ru": ("Музей открывает крыло для часов", "Пчёлы на крыше библиотеки дают мёд", "Бассейн закрыт до мая"),
    "ar": ("المتحف يفتح جناحا جديدا للساعات", "نحل على سطح المكتبة يعطي العسل", "المسبح مغلق حتى شهر مايو"),
    "zh": ("博物馆为钟表开设新展厅", "图书馆屋顶上的蜜蜂产出蜂蜜", "游泳馆关闭到五月"),
    "ja": ("博物館が時計の新館を開設", "図書館の屋上の蜂が蜜をつくる", "プールは五月まで休館する"),
}
SECTIONS = ("Politics", "Region", "Culture", "Sport", "Business", "Science", "Travel", "Weather", "Archive")


def headline(language: str) -> str:
    return TEXTS[language][0]


def paragraphs(language: str, start: int = 1, end: int | None = None) -> str:
    return "".join(f"<p>{text}</p>" for text in TEXTS[language][start:end])


def teasers(language: str, count: int = 6) -> str:
    """Links to other articles, each with a picture and a date."""
    titles = OTHERS[language]
    return "".join(
        f"<div class=k7><a href='/{language}/story-{number}.html'><img src='/i/{number}.jpg' alt=''>"
        f"<span>{titles[number % len(titles)]}</span></a><small>{number + 1}.3.2026</small></div>"
        for number in range(count)
    )


def source(language: str, article: str, *, head: str = "", after: str = "", title: str | None = None) -> str:
    """Put an article into the frame of the portal."""
    menu = "".join(f"<li><a href='/{name.lower()}/'>{name}</a></li>" for name in SECTIONS)
    said = headline(language) if title is None else title
    return (
        f"<html lang={language}><head><title>{said} | Kurier</title>{head}</head><body>"
        f"<div class=k1><a href='/'><img src=/logo.svg alt=Kurier></a><ul>{menu}</ul></div>"
        f"<div class=k2><div class=k3>{article}</div><div class=k4>{teasers(language)}</div></div>{after}"
        "<div class=k5><ul><li><a href=/imprint>Imprint</a></li><li><a href=/privacy>Privacy</a></li></ul>"
        "<p>© Kurier 2026</p></div></body></html>"
    )


def page(language: str, article: str, *, head: str = "", after: str = "", title: str | None = None, path: str = "") -> Document:
    """Put an article into the frame of the portal, and parse it."""
    url = f"https://kurier.example{path or f'/{language}/bridge.html'}"
    return Document.parse(source(language, article, head=head, after=after, title=title), url)
