"""The words around names in bylines: what introduces who wrote, what somebody else, roles, what the site says of itself."""

from __future__ import annotations

import re


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _any_of(words: str) -> str:
    return "|".join(re.escape(word.replace("_", " ")) for word in sorted(words.split(), key=len, reverse=True))


#: Before the name of who wrote; low lines are blanks.
_WRITTEN_BY = """
    submitted_by added_by contributed_by
    by written_by posted_by reported_by published_by words_by story_by article_by text_by review_by reviews_by compiled_by
    analysis_by
    opinion_by column_by commentary_by interview_by reporting_by report_by essay_by perspective_by more_by all_posts_by
    guest_post_by guest_author
    all_articles_by
    see_all_posts_by posts_by articles_by about_the_author author authors byline text words
    von ein_kommentar_von eine_analyse_von ein_interview_von ein_gastbeitrag_von verfasst_von geschrieben_von
    veröffentlicht_von
    gepostet_von eingestellt_von erstellt_von text_von beitrag_von artikel_von autor autorin autoren protokoll interview
    gastbeitrag gastautor gastautorin es_berichtet
    autora autori autoři autorka autor_článku autorka_článku autoři_článku napsal napsala napsali zpracoval zpracovala
    připravil
    připravila publikoval publikovala vložil vložila rozhovor_vedl rozhovor_vedla ptal_se ptala_se
    napísal napísala pripravil pripravila spracoval spracovala uverejnil uverejnila zhováral_sa zhovárala_sa
    autorzy autor_tekstu autorka_tekstu napisał napisała opracował opracowała oprac oprac. opracowanie przygotował
    przygotowała dodał
    dodała dodane_przez tekst rozmawiał rozmawiała rozmawiali opublikował opublikowała przez
    soumis_par proposé_par
    par publié_par écrit_par rédigé_par posté_par propos_recueillis_par recueilli_par texte_de texte auteur auteurs auteure
    article_de
    enviado_por
    por escrito_por publicado_por redactado_por texto_de texto autor autora autores reportagem_de reportaje_de
    di scritto_da a_cura_di pubblicato_da articolo_di testo_di testo autore autrice autori servizio_di intervista_di
    postato_da inviato_da inserito_da
    автор автори авторка автор_статті текст підготував підготувала підготували написав написала опублікував опублікувала
    розмовляв
    розмовляла спілкувалася спілкувався
    пользователем добавил добавила
    авторы автор_статьи подготовил подготовила подготовили написал написала опубликовал опубликовала беседовал беседовала
    írta írták szerző szerzők készítette közzétette beszámolt szöveg
    מאת מאת_הכתב מאת_הכתבת כתב כתבה פורסם_על_ידי נכתב_על_ידי
    yazan yazar yazarı haber haberi hazırlayan röportaj metin muhabir editör
    بقلم كتب كتبت كتبه إعداد تحرير نشر_بواسطة بواسطة حوار تقرير
    作者 记者 記者 文 撰文 撰稿 采写 编辑 編輯 责任编辑 責任編輯 责编 責編 编译 来稿 執筆 著者 筆者 取材 取材・文 聞き手 文責 編集
    نویسنده نویسندگان خبرنگار گزارشگر نگارنده به_قلم نوشته تهیه‌کننده گزارش_از
    โดย ผู้เขียน ผู้สื่อข่าว นักเขียน เรื่องโดย เขียนโดย
    글 기자 tác_giả penulis door skriven_av av af tekst_af skrevet_av συντάκτης σύνταξη
"""
#: Before the name of somebody else: who took the picture, edited, checked, translated.
_OTHERS = """
    photo photos photo_by photos_by photographs photographs_by photography photography_by picture pictures_by image image_by
    images_by
    illustration illustration_by illustrations_by illustrations video video_by edited_by fact_checked_by fact-checked_by
    checked_by
    verified_by reviewed_by medically_reviewed_by translated_by translation produced_by photo_credit credit credits getty
    foto fotos fotos_von foto_von bild bilder bild_von bilder_von grafik grafiken illustrationen übersetzung übersetzt_von
    redigiert_von
    geprüft_von kamera schnitt symbolbild archivfoto
    fotografie snímek ilustrace překlad přeložil přeložila editor editoval editovala korektury korektura autor_fotografie
    autor_fotky
    snímka preklad preložil preložila ilustrácia
    zdjęcie zdjęcia fot fot. zdj zdj. ilustracja ilustracje tłumaczenie tłum tłum. redagował redagowała korekta grafika
    photo_de photos_de crédit crédits crédit_photo crédits_photo illustration_de traduit_par traduction édité_par
    imagen imágenes foto_de fotos_de fotografía fotografías ilustración traducción traducido_por editado_por
    foto_di immagine immagini illustrazione traduzione traduzione_di
    fotografia fotografias imagem imagens ilustração tradução edição editado_por
    фото світлина зображення переклад переклав переклала редактор ілюстрація відео знімок
    перевод перевела перевёл перевел иллюстрация видео снимок
    fotó fotók fényképezte kép képek illusztráció fordította fordítás szerkesztette videó
    צילום צילומים תמונה תרגום עריכה עורך
    fotoğraf fotoğraflar görsel çeviri çeviren düzenleyen kamera
    تصوير صورة الصورة صور ترجمة مراجعة تدقيق
    عکس عکاس عکس_از مترجم ترجمه ویراستار ویرایش
    ภาพ ภาพโดย ช่างภาพ แปลโดย ผู้แปล
    摄影 攝影 图 圖 图片 图／ 翻译 翻譯 校对 视频 写真 撮影 イラスト 翻訳 사진 영상 번역
"""
#: Before the agency that a text came from.
_SOURCE = """
    source sources zdroj zdroje quelle quellen źródło źródła fuente fuentes fonte fonti fontes джерело джерела источник
    источники
    forrás מקור kaynak المصدر المصادر منبع ที่มา 来源 來源 出典 出所 via
"""
_BEFORE = rf"(?P<by>{_any_of(_WRITTEN_BY)})|(?P<other>{_any_of(_OTHERS)})|(?P<source>{_any_of(_SOURCE)})"
#: A word that says what the names behind it did; a colon may stand behind it, and must where more text stands before it.
_LABELS = f"{_WRITTEN_BY} {_OTHERS} {_SOURCE}".lower().split()
#: The first words of all of them, so that other lines need not be tried.
LABELS_BEGIN = frozenset(match.group() for label in _LABELS if (match := re.match(r"[^\W_]+", label)))
LABEL_AT_START = re.compile(rf"\s*(?:{_BEFORE})(?:\s*[:：＝=/／・](?!\w*//)\s*|\s+|$)", re.IGNORECASE)
_BEFORE_2 = _BEFORE.replace("?P<by>", "?P<by2>").replace("?P<other>", "?P<other2>").replace("?P<source>", "?P<source2>")
LABEL_WITHIN = re.compile(
    rf"(?<=[\s,;|(])(?:(?:{_BEFORE_2})"
    rf"\s*[:：]|(?:photos?|photographs|images?|edited|illustrations?|video)\s+by\b)\s*",
    re.IGNORECASE,
)
#: Roles, whole words; most as the end of one: Wirtschaftsredakteur, Parlamentsreporterin.
ROLE = re.compile(
    r"(?:\w*(?:reporter|redakteur|korrespondent|correspondent|journalist|kolumnist|columnist|volont[äa]r|editor|writer|producer|"
    r"redaktor|redaktör|analyst|spezialist)(?:s|in|en|innen|ka|em|kou)?|\w*(?:dziennikarz|dziennikarka|publicyst[ak]a?|novinář(?:ka)?|"
    r"komentátor(?:ka)?|spisovatel(?:ka)?|šéfredaktor(?:ka)?|zpravodaj(?:ka)?|spravodaj(?:ka|kyňa)?|naczeln[ya])|"
    r"journaliste|reportrice|rédacteur|rédactrice|correspondante?|envoyée?|chroniqueu(?:r|se)|éditorialiste|"
    r"periodista|redactora?|corresponsal|colaboradora?|columnista|enviad[oa]|"
    r"giornalista|inviat[oa]|corrispondente|editorialista|direttore|direttrice|"
    r"jornalista|repórter|redatora?|correspondente|colunista|editora?|"
    r"журналіст(?:ка)?|кореспондент(?:ка)?|оглядач(?:ка)?|редактор(?:ка)?|журналист(?:ка)?|корреспондент(?:ка)?|обозреватель|колумнист(?:ка)?|"
    r"újságíró|szerkesztő|főszerkesztő|munkatárs|rovatvezető|tudósító|"
    r"muhabiri?|editörü?|yazarı?|gazeteci|temsilcisi|"
    r"כתב|כתבת|כתבנו|כתבתנו|עורך|עורכת|פרשן|مراسل|مراسلة|محرر|محررة|صحفي|صحفية|كاتب|كاتبة|"
    r"staff|director|manager|professor|fellow|attorney|contributor|contributors|intern|chefredakteur(?:in)?|ressortleiter(?:in)?|"
    r"autor(?:in|ka|en)?|author|authors|politolog(?:e|in)|historiker(?:in)?|herausgeber(?:in)?|head|president|chairman|ceo|founder)$",
    re.IGNORECASE,
)
#: Signs of Chinese, Japanese and Korean that stand for a role, at the ends of a name.
EASTERN_ROLE = re.compile(
    r"^(?:[\u4e00-\u9fff]{0,4}(?:记者|記者|通讯员|特约记者|特派員|编辑|編輯))+\s*|"
    r"\s*(?:记者|記者|报道|報道|通讯员|特派員|编辑|編輯|摄|攝|氏|さん|기자|특파원|논설위원|선임기자)$"
)
#: Words that describe a role and are no part of a name.
ROLE_ADJECTIVES = _set("""
    senior chief deputy managing staff contributing associate assistant executive political politics business sports sport
    science health
    news local national foreign world digital online lead special freelance guest general assignment investigative
    entertainment
    technology tech economics finance crime education environment climate culture features opinion multimedia data white
    house ap
    leitende leitender leitendes stellvertretende stellvertretender freie freier politische politischer verantwortlicher
    verantwortliche ehemaliger ehemalige
    zástupce zástupkyně hlavní vedoucí externí redaktor naczelny naczelna zastępca nasz nostro nostra dal dalla notre
    nuestro nuestra
    envoyé envoyée spéciale spécial nosso nossa our власний спеціальний специальный собственный
""")
#: With these a name goes on in small letters.
PARTICLES = _set("""
    von van der den de da di del della dello dei degli dos das do du des la le les lo zu zum zur vom af av ten ter te el al
    bin bint ibn ben und y e i den't d l o mac mc san santa st st. ó ní nic 't
""")
#: What a site says beside a byline; a text with one of these is no name.
SITE_WORDS = _set("""
    archive archives rss feed bio biography profile profil profilu newsletter article articles artikel artikeln artykuł
    artykuły artykułów
    beitrag beiträge beiträgen posts comment comments kommentar kommentare kommentieren autorenseite artikelübersicht
    übersicht
    posted published updated modified verified checked subscribe follow share read reading lesezeit mins minute minutes
    minuten
    view full get sign log login weiter weitere weiterlesen mehr hinterlasse teilen folgen veröffentlicht aktualisiert
    stand uhr facebook twitter instagram youtube whatsapp telegram linkedin email e-mail cookie cookies copyright
    všechny další sdílet sdílej článek články článku komentáře diskuse publikováno aktualizováno ďalšie zdieľať všetky
    więcej udostępnij komentarze opublikowano aktualizacja
    voir tous lire partager publié mis commentaires articles abonnez-vous suivre
    más leer compartir publicado actualizado comentarios artículos artículo leggi tutti condividi pubblicato aggiornato
    commenti
    leia compartilhe atualizado comentários artigos
    більше поділитися опубліковано оновлено коментарі читайте ещё все поделиться опубликовано обновлено комментарии читать
    tovább megosztás cikkei cikkek frissítve hozzászólás tümü paylaş devamı yazıları yorum güncelleme
    website webteam gmbh sponsored gesponserte inhalte advertisement werbung anzeige about image caption admin unknown
    שתף תגובות عرض شارك المزيد تعليقات
""")
#: Words with which no name begins.
NEVER_FIRST = _set(
    "zur zum alle see ver mais em social folge view post our unser unsere diese dieser this these your yours deine dein "
    "eure euer votre twój wasz váš ваш"
)
#: Who was asked, in a line that says who asked: "Interview von Eugen Zentner mit Sonja Silberhorn".
INTERVIEWED = re.compile(
    r"(?i)\b((?:interview|gespräch|rozhovor|rozmowa|wywiad|entretien|entrevista|intervista|интервью|інтерв'ю)\b.*?)"
    r"\s+(?:mit|with|avec|con|com|s|se|z|ze|с|з)\s.*$"
)
#: Days and months in the languages that set them in capitals, or behind a name.
DAYS_AND_MONTHS = _set("""
    monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag
    january february march april may june july august september october november december jan feb mar apr jun jul aug sep
    sept oct nov dec
    januar februar märz mai juni juli oktober dezember jänner today yesterday heute gestern
""")
#: Days of the week in other languages, some of which are surnames too.
WEEKDAYS = _set("""
    pondělí úterý středa čtvrtek pátek sobota neděle pondelok utorok streda štvrtok piatok nedeľa poniedziałek wtorek środa czwartek
    piątek niedziela lunes martes miércoles jueves viernes sábado domingo lundi mardi mercredi jeudi vendredi samedi dimanche lunedì
    martedì mercoledì giovedì venerdì sabato domenica segunda terça quarta quinta sexta segunda-feira terça-feira quarta-feira
    quinta-feira sexta-feira maandag dinsdag woensdag donderdag vrijdag zaterdag zondag måndag tisdag onsdag torsdag fredag lördag
    söndag mandag tirsdag lørdag søndag maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai hétfő kedd szerda
    csütörtök péntek szombat vasárnap luni marți miercuri joi vineri sâmbătă duminică понедельник вторник среда четверг пятница
    суббота воскресенье понеділок вівторок середа четвер субота неділя ponedjeljak utorak srijeda četvrtak petak subota nedjelja
""")
#: Editorial offices and agencies beyond those that are single words.
OFFICES = _set("""
    укрінформ уніан рбк інтерфакс риа интерфакс риа_новости רויטרס מערכת סוכנויות رويترز وكالات أ_ف_ب فرانس_برس الأناضول واس
    新华社 新華社 新华网 中新社 中新网 人民网 央视新闻 共同通信 時事通信 共同 時事 ロイター 編集部 编辑部 연합뉴스
    szerkesztőség haber_merkezi la_rédaction la_redazione la_redacción die_redaktion associated_press the_associated_press
    europa_press agence_france-presse
    press_association deutsche_presse-agentur agência_brasil agencia_efe anadolu_ajansı interfax-україна редакція редакция
""")
