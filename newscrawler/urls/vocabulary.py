"""Words of the web's page types, in the languages of Europe, as they stand in addresses and in the texts of links.

A word is written as its language writes it and compared without accents and in small letters (`fold`). `*` at its end: every
word that begins so. A word stands in the category that says what a page is, not what it is about; names of subjects that
newspapers make sections of are `TOPIC`.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_LETTERS = str.maketrans("łøđßæœþðıħŧ", "lodsaotdiht")

#: Category → words ("more": what links say that name no page). The categories of features.GROUPS are the reasons of a verdict.
WORDS = {
    "tag": """
        label labels tag tags tagi tagy etiqueta etiquetas etichetta etichete cimke cimkek stitek stitky oznaka oznake
        ключевые тег теги теґ мітка мітки таг тагове hashtag hashtags schlagwort schlagworte schlagwoerter keyword
        keywords motcle mots-cles mot-cle zyma zymes birka etykieta etykiety stichwort stichwoerter trefwoord trefwoorden
        emneord nyckelord avainsana avainsanat persone persona personaggi luoghi luogo person persons people-tag temat-tag
        tagged
    """,
    "author": """
        author authors autor autori autoren autorin autorka autorzy autores autora autore autrice auteur auteurs autrices
        redaktor redaktori redaktorzy redaktion-autor journalist journalists journaliste journalistes journalisten
        periodista periodistas firma firmas columnista columnistas columnist columnists kolumnista kolumnisci writer
        writers staff byline contributor contributors contributeur autorius autoriai szerzo szerzok автор автори авторы
        avtor avtori avtory skribent skribenter forfatter forfattere kirjoittaja toimittaja profil-autor ludzie reporter
        reporters bio colaborador colaboradores blogger bloggers kommentatoren yazar yazarlar syntaktis
    """,
    "video": """
        video videos vidéo vidéos wideo videa videok videoteka videothek videogaleria видео відео mediathek mediateka
        mediatheque mediateca watch replay tele youtube filmy-video player-video videonews videoclip videoclips vod
        videoblog* vidzy webtv
    """,
    "gallery": """
        gallery galleries galerie galerien galeria galerii galerias galleria gallerie galéria galeriak képgaléria
        fotogalerie fotogaleria fotogalerias fotogallery fotogalerija photo photos foto fotos fotografie-galerie
        photogallery bildergalerie bildergalerien bilder bilderstrecke fotostrecke diaporama diaporamas slideshow
        slideshows fotoreportaz fotoreportaze kepek zdjecia фото галерея фотогалерея fotoreport obrazky images pictures
        picture webstories web-stories nuotraukos fotky album albums fotografias imagenes image bildstrecke fotogaleri
    """,
    "podcast": """
        podcast* подкаст* audio audios radio-podcast audioteka audiothek
    """,
    "live": """
        live livestream livestreams live-stream liveticker liveblog liveblogs ticker livecenter direct en-direct endirect
        direto ao-vivo aovivo envivo en-vivo diretta diretta-tv online-prenos zive nazivo na-zywo player onnow ontheair
        lifestream eloben elo uzivo livescore livescores трансляция трансляції онлайн-трансляция stream streaming listen
        listen-live relacja-live
    """,
    "tv": """
        tv-programm tv-program programtv tvprogramm tvprogram tv-guide tvguide programme-tv programmetv program-tv
        programa-tv tele-programm sendungen sendung fernsehprogramm canaux-tv tv-schedule schedule schedules broadcasts
        programa-televisivo ramowka iptv empfang broadcast palinsesto telewizja-program tv-musor musor guida-tv
        programacao programacion epg
    """,
    "legal": """
        legal privacy datenschutz* datenschutzerklaerung impressum imprint terms conditions tos cookie* cookies agb
        nutzungsbedingung* policy policies privacypolicy privatumo privatnost soukromi ochrana-osobnich ochrana gdpr rgpd
        dsgvo regulamin* prywatnosc* prywatnosci polityka-prywatnosci privacidad privacidade confidentialite
        confidentialité mentions mentions-legales cgu cgv avisolegal aviso-legal condiciones terminos términos condizioni
        termini adatvedel* adatkezel* felhasznal* jogi szabalyzat* jatekszabalyzat* impresszum disclaimer copyright
        accessibility accesibilidad accessibilite barrierefreiheit accessibilita warunki правила условия умови політика
        политика-конфиденциальности конфиденциальн* конфіденційн* користування rules guidelines licence licencia licensing
        ethics widerruf* einwilligung kuendig* kundig* cancellation podminky obchodni vop zasady vseobecne personvern
        integritet tietosuoja sekretess privatlivspolitik vilkar villkor privatezza note-legali zastrzezenia compliance
        transparency transparencia transparenz salygos taisykles bezpieczenstwo-danych ftc ccpa do-not-sell urheberrecht
        jugendschutz bedingungen netiquette netykieta code-of-conduct declaration-accessibilite pravila
    """,
    "about": """
        about about-us aboutus ueber über ueber-uns uber-uns unternehmen o-nas onas onás o-nás o-firmie o-redakci
        about-the redakcja redakcia redakce redaktion redaccion redacción redazione redaction redactie rolunk
        impressum-team qui-sommes-nous quienes-somos chi-siamo equipe team teamet mission masthead staff-list company
        corporate press-office presse-info pressroom verlag grupo groupe gruppe gruppo konzern karriere apie apie-mus
        o-projekte o-kompanii o-proekte про-нас о-нас о-проекте о-компании organisation organization history-of-us tiraz
        tirage bip structure szerkesztoseg kiado ownership proyecto acerca sobre-nosotros quem-somos om-oss om-os omoss
        tietoa historia-firmy general_info info-about projekty-spoleczne partner partners partnerzy patronat dla-mediow
        investors investor-relations distribution fundacja stiftung foundation who-we-are editorial-standards
        editorial-policy corrections
    """,
    "contact": """
        contact contacts contact-us contactus kontakt* contacto contactos contatto contatti contato contattaci kapcsolat
        kontaktformular feedback zpetna-vazba complaints complaint beschwerde anfahrt leserbrief tipp-geben send-tip
        sendtips tips susisiekite kontaktai rasykite контакт контакты контакти email-protection mailto ansprechpartner
        napiste napiste-nam yhteystiedot kontakta kontaktujte servicestellen zglos
    """,
    "login": """
        login log-in logowanie logout signin sign-in signup sign-up sign_in register registration registrieren
        registrierung registrace registracia registro registrarse inscription rejestracja zaloguj anmelden anmeldung
        einloggen konto account accounts accedi accesso acceso entrar identification identificate iniciar-sesion connexion
        connect-user membre membres mi-cuenta micuenta mein-konto meinkonto moje moj-profil prihlaseni prihlasit
        prihlasenie prihlaska profil profile profilo perfil user users usuario usuarios utente uzivatel uzytkownik
        password haslo heslo passwort forgot* zapomniane-haslo bejelentkezes belepes regisztracio вход войти увійти вхід
        регистрация реєстрація bookmark bookmarks merkliste leseliste preferiti favorites favoriten oauth sso auth
        authenticate autorization authorization wp-login wp-admin admin fiok prisijungti registruotis inloggen innlogging
        logga-in kirjaudu my-account myaccount mypage preferences einstellungen zugang sesion
    """,
    "subscribe": """
        subscribe subscription subscriptions subscriber abo abos abonnement abonnements abonnieren abonnez abonner
        abonament abonamenty suscripcion suscripciones suscribete suscribirse suscripcion* assinatura assine assinar
        abbonamento abbonamenti abbonati prenumerata prenumerator* predplatne predplatit predplat* predplatitel elofizet*
        elofizetes подписка подписаться передплат* підписка prenumerat* prenumeruok membership member members mitglied
        mitgliedschaft tagsag offer offers angebote abo-shop aboshop abonnenten plus-abo premium-abo subscribe-now tilaa
        tilaus abonnere prenumerera probeabo jahresabo oferta-prenumeraty premium-oferta digitalabo
    """,
    "newsletter": """
        newsletter* newslettery naujienlaiskis naujienlaiskiai hirlevel hírlevél рассылка розсилка boletin boletines
        nyhetsbrev nieuwsbrief uutiskirje push notifications notifiche notificaciones alerts alertes infolettre infomail
    """,
    "shop": """
        shop shops store stores sklep sklepy bolt tienda tiendas boutique negozio obchod eshop e-shop shopping webshop
        webaruhaz kaufen kaufradar vergleich vergleiche preisvergleich comparateur comparador tarif tarife tarifvergleich
        marktplatz markt marketplace automarkt stellenmarkt-shop bildungsmarkt immobilienmarkt reisen-buchen reisewelten
        reiseshop leserreisen leserreise knihkupectvi ticketshop tickets ticket bilety vstupenky merchandise merch
        produkte produkt product products produkty dostawa platnosc магазин books-shop buchshop weinshop akademie academy
        kurse kurs idiomas vorteilswelt rabattwelt deals business-services partnershop nakupy nakup reality
    """,
    "coupon": """
        coupon* gutschein* rabatt rabatte rabatty kupon kupony kupony-rabatowe cupon* codepromo code-promo codes-promo
        promocode promo-code descuento descuentos voucher vouchers sconti sconto slevy slevove kody-rabatowe kuponkod
        bons-plans bonplans codigo-promocional
    """,
    "advertising": """
        advertising advertise advertiser advertisers advertisement ads reklam* inzerce inzercia inzerovat werbung werben
        mediadaten mediakit media-kit publicidad publicite publicidade pubblicita anunciate anunciantes annonceurs
        ratecard hirdet* hirdetes реклама рекламодавцям рекламодателям mediaajanlat mediainfo sponsor sponsored-info
        tarify-reklamowe promo annoncer annonser mainostajille advertorials-info anzeigenannahme anzeigenpreise mediasales
    """,
    "jobs": """
        jobs job jobboerse jobborse stellen* stellenmarkt stellenangebote stellenanzeigen karriere careers career
        vacancies vacature vacatures kariera praca-oferty oferty-pracy lista-ofert emploi emplois empleo empleos
        lavora-con-noi allas allasok вакансии вакансії robota-vakansii darbo-skelbimai stillinger jobb ledigajobb
        recruitment hiring kariéra volna-mista prace-nabidky oferta
    """,
    "classifieds": """
        classifieds classified annonces annonces-legales kleinanzeigen anzeigen ogloszenia ogłoszenia anuncios
        clasificados annunci inzeraty bazar apróhirdetés apro aprohirdetes skelbimai объявления оголошення traueranzeigen
        trauer nekrologi necrologie obituaries obituary avis-de-deces esquelas rubrikk markedsplass nieruchomosci-oferty
        marches-publics immobilien-suche parte-zmarlych kondolencje familienanzeigen
    """,
    "games": """
        games game spiele spiel juegos juego jeux jeu giochi gioco hry hra jatekok jatek puzzles puzzle sudoku crossword*
        kreuzwort* kreuzwortraetsel crucigrama* mots-croises krzyzowk* krizovk* wordle quiz quizzes quizy raetsel rätsel
        kviz игры ігри solitaire mahjong memory-spiel pasatiempos
    """,
    "feed": """
        rss rss2 feed feeds atom rdf xml-feed flux-rss rss-feed rss-feeds kanaly-rss
    """,
    "search": """
        search suche suchen suchergebnis suchergebnisse szukaj wyszukiwarka wyszukaj hledat hledani hladat vyhladavanie
        vyhledavani buscar buscador busca busqueda recherche rechercher cerca ricerca kereses kereso paieska ieskoti поиск
        пошук zoeken sok sogning haku trazi pretraga advanced-search s-search cautare arama find query
    """,
    "help": """
        help hilfe faq faqs aide ayuda aiuto ajuda pomoc napoveda segitseg sugo support помощь допомога pagalba
        customer-service kundenservice kundendienst serviceclient hulp hjalp how-to-use centrumpomocy* wsparcie-techniczne
        mitschnitt technik-hilfe leserservice service-center
    """,
    "weather": """
        weather wetter pogoda pocasi pocasie meteo el-tiempo idojaras időjárás погода weer vaer vader saa orai
        prognoza-pogody wetterbericht wettervorhersage vremea vrijeme previsao prevision-meteo
    """,
    "data": """
        results ergebnisse fixtures standings tabelle tabellen table tables points-table estadisticas statistics
        statistiken scores scoreboard vysledky tabulky wyniki tabele resultados clasificacion classement classements
        risultati classifiche eredmenyek sportdaten boersenkurse kurse-boerse stocks quotes kursy-walut notowania
        cotizaciones cours-bourse verkehr-staus staus trafic info-trafic fahrplan rozklad jizdni-rady menetrend*
        benzinpreise spritpreise tankstellen calculator kalkulator rechner calculators kalendarium spielplan spielplaene
        tracker match-center matchcenter live-ergebnisse calendario-de standing ranking rankings datenbank lottozahlen
        loterie-results valutas kurzy kurzy-men devizy cestovny-poriadok
    """,
    "epaper": """
        epaper e-paper eavisen e-wydanie e-wydania ewydanie kiosk kiosko kiosque edicola digital-edition ejournal
        e-journal elektronicke-vydanie epapir print-edition edicion-impresa edition-du-jour journal-numerique heft-archiv
        e-ausgabe eausgabe zeitung-digital krant eprasa e-gazeta gazeta-cyfrowa pdf-ausgabe
    """,
    "donate": """
        donate donation donations spenden spende dons faire-un-don wesprzyj wesprzyj-nas darowizna darowizn wspieraj
        zbiorka podporte podpor doneer donacion donaciones dona sostienici tamogatas tamogass поддержать підтримати
        support-us paramos parama zahl-ich soutenir soutenez 1procent przekaz
    """,
    "horoscope": """
        horoscope* horoskop* horoscopo* oroscopo horoszkop* гороскоп* horoskopai znamenia sternzeichen zodiac sennik
    """,
    "contest": """
        contest contests gewinnspiel* konkurs* sorteo sorteos concours concorso concorsi soutez souteze sutaz sutaze
        nyeremenyjatek* jatekunk giveaway sweepstakes wettbewerb vyhrajte* competition competitions konkurranse tavling
        konkurse verlosung
    """,
    "app": """
        app apps application applications mobile-app aplikace aplikacja aplikacje aplikacie aplicacion aplicaciones
        applicazione alkalmazas приложение додаток mobilni-aplikace android ios widgets widget alexa skill
        sprachassistent*
    """,
    "event": """
        calendar calendars kalendar kalender kalendarz calendario calendrier events event veranstaltung* veranstaltungen
        eventos evento evenement evenements akce podujatia wydarzenia-kalendarz rendezveny esemenyek события події
        renginiai agenda webinar webinars conference-tickets seminar seminare seminary plebiscyt* gala termine
    """,
    "share": """
        share sharer teilen sdilet udostepnij compartir partager condividi megosztas whatsapp telegram facebook twitter
        intent send-to-friend emailthis recommend-to weiterempfehlen
    """,
    "print": """
        print printable drucken drukuj drukowanie tisk tlac imprimir imprimer stampa nyomtatas druckversion printversion
        печать друк print-article
    """,
    "comments": """
        comment comments commentaires comentarios commenti hozzaszolas* replytocom diskuse diskuze diskusia diskussion
        diskussionen forum forums foren foro foros forumas komentuj comment-page respond вопросы-форум комментарии
        коментарі disqus hozzaszolasok reacties
    """,
    "sitemap": """
        sitemap sitemaps site-map mapa-webu mapa-stranek mapa-strony mapa-del-sitio plan-du-site plan-site mappa-del-sito
        oldalterkep карта-сайта
    """,
    "archive": """
        archive archives archiv archiwum archivo archivos archivio arhiv arhiva archivum hemeroteca архив архів archyvas
        arkiv arkisto calendar-archive
    """,
    "more": """
        read-more more continue-reading continue full-story read-article weiterlesen mehr mehr-lesen zum-artikel
        czytaj-wiecej czytaj-dalej wiecej cist-dale cist-vice cely-clanek vice citat-dalej viac cely-clanok leer-mas
        seguir-leyendo mas lire-la-suite lire suite lire-plus leggi leggi-tutto continua tovabb tovabb-olvasom bovebben
        читать-далее читать подробнее далее читати-далі читати докладніше skaityti-daugiau skaityti daugiau ler-mais
        leia-mais lees-meer lees-verder laes-mere les-mer las-mer lue-lisaa devami devamini-oku next-post previous-post
        next previous older newer older-posts newer-posts older-entries next-article previous-article dalsi dalsi-clanek
        predchozi predchozi-clanek predchozi-prispevek nasledujici dalej nastepny nastepny-wpis poprzedni poprzedni-wpis
        vor zurueck zuruck weiter naechster vorheriger siguiente anterior suivant precedent successivo precedente
        kovetkezo elozo
    """,
    "category": """
        category categories kategorie kategorien kategoria kategorii categoria categorias categorie rubrik rubriken
        rubrique rubriques rubryka rubrica rubricas rubric rubriky rubrika rubrikak section sections sekce sekcia sekcja
        seccion secciones sezione sezioni secao ressort ressorts kategori kategorier temat tematy tema temas thema themen
        theme themes topic topics dossier dossiers rovat rovatok dzial dzialy channel channels kanal block blog blogs
        noticias subject subjects specials special spezial temy schwerpunkt reihe serie serien series рубрика рубрики тема
        категория розділ typy avdeling osasto aihe
    """,
    "article": """
        article articles artikel artykul artykuly clanek clanky clanok articulo articulos articolo articoli artigo story
        stories cikk cikkek post posts entry node news-story storia statya статья стаття straipsnis artikkel artikkeli
        uutinen notizia noticia content permalink detail detay haber meldung beitrag wpis reportage nota nieuws-artikel
    """,
    "topic": """
        новости новини nowosci aktuality-dne vijesti vesti haberler gundem ekonomi siyaset spor kultur-sanat saglik
        politics politik politique politica política polityka politika politiikka политика політика sport sports deportes
        deporte esporte esportes sportas спорт football fussball fotbal futbol futbal fútbol pilka pilka-nozna foci calcio
        futebol soccer voetbal fotball nfl nba nhl formel formula f1 tennis tenis hockey hokej eishockey basket*
        baloncesto koszykowka handball ciclismo cyclisme kolarstwo zuzel boxing box wintersport rugby golf motorsport
        motor moto motoren auto autos automoto motoryzacja motori coches mobilitaet mobility mobilitat economy economia
        économie economie wirtschaft gospodarka ekonomika ekonomia gazdasag экономика економіка business biznes byznys
        biznis finance finanzen finanse finanzas finanza finances finansy money geld penize pieniadze dinero boerse borse
        bourse gielda markets maerkte marches mercados immobilien immobilier nieruchomosci nemovitosti inmobiliario
        real-estate realestate property culture kultur kultura cultura kultúra культура kulttuuri feuilleton arts art
        kunst music musik muzyka hudba musica musique film filme movies kino cine cinema television tv-serien theater
        theatre teatr teatro books buecher livres libros ksiazki knihy libri konyv literatur literatura literature
        entertainment unterhaltung rozrywka zabava espectaculos spettacoli showbiz showbusiness people leute gwiazdy
        celebrity celebrities celebrites famosos stars gente panorama panoráma vermischtes world welt swiat svet svetove
        mundo monde mondo vilag kulfold ausland zahranici zahranicne zagranica esteri international internacional
        internacionales foreign pasaulyje мир світ binnenland buitenland indland udland kotimaa ulkomaat inrikes utrikes
        innenriks utenriks dunya ellada kosmos-news europa europe eu usa africa afrika asia asien asie america amerika
        middle-east russia ukraine ukraina ukrajina germany deutschland france polska poland kraj inland belfold domaci
        domace italia italy espana españa national nacional nacion nation country uk britain magyarorszag lietuva
        lietuvoje krim crimea nato local lokal lokales lokalne region regional regiony regionen regiones regio regioes
        regionalne mesto miasto city stadt ville ciudad ciudades warszawa krakow berlin hamburg muenchen madrid barcelona
        paris london roma milano praha brno budapest bratislava kiev kyiv vilnius science wissenschaft wissen nauka veda
        ciencia sciences scienza tudomany наука health gesundheit zdrowie zdravi zdravie salud sante santé salute egeszseg
        здоровье здоров terveys medizin medicina technology technik technologie technologia technologies technika
        tecnologia tech digital netzwelt internet it computer hardware software sprzet oprogramowanie gry gaming
        smartphone smartphones apps-tests environment umwelt klima climate klimat clima medio-ambiente environnement
        planete nature natur przyroda priroda ekologia kosmos space energy energie energia education bildung edukacja
        educacion scuola skola vzdelavani oktatas schule studium opinion opinions meinung meinungen opinie nazory nazor
        velemeny opinioni tribunes editorial editoriales kommentar* komentar* debata debatte debate debates idees kolumnen
        kolumne columns felietony мнения думки nuomones publicystyka publicistika society gesellschaft spoleczenstwo
        spolecnost spolocnost sociedad societa societe obshchestvo общество суспільство tarsadalom samhalle lifestyle
        life-style life leben stil styl styl-zycia estilo style styles eletmod eletstilus gyvenimas fashion mode moda
        divat beauty uroda krasa belleza food essen genuss rezepte recipes recetas recettes ricette przepisy recepty
        kuchnia kochen cuisine cocina cucina gastronomie gastro travel reise reisen podroze cestovani cestovanie viajes
        voyage voyages viaggi turystyka turizmus utazas tourisme family familie rodzina rodina familia famille parents
        kinder kids dzieci deti eltern partnerschaft relaciones love seks dom haus house home-garden wohnen garten ogrod
        dum-a-zahrada maison casa jardin crime krimi kriminalitaet kriminalita kriminal justice justiz prawo pravo recht
        gericht police blaulicht polizei cerna-kronika cernakronika cronica cronaca sucesos faits-divers policia
        na-sygnale incidents proisshestviya wypadki history geschichte historia historie histoire storia religion religia
        religions kirche kosciol wiara cirkev military militaer wojsko difesa verteidigung defense krieg wojna guerra war
        election elections wahl wahlen wybory volby elecciones elezioni valasztas media medien medialne prasa press
        marketing magazin magazyn magazine magazines revista revistas revue ratgeber poradnik poradna tipps guide guides
        reviews review testy tests test aktuell aktuelles aktualnosci aktualno aktualne aktualis aktualijos aktuality
        actualidad actualite actualites actu attualita latest breaking breaking-news news newsroom nachrichten wiadomosci
        zpravy spravy noticias-hoy notizie novosti novini naujienos hirek hir nieuws nyheter nyheder uutiset wydarzenia
        informacje informationen headlines newsticker top-news topnews ultimas-noticias ultimora fil-info kronika stiri
        ultimi dernieres-nouvelles interview interviews wywiady rozhovory entrevistas interviste publications longread
        longreads reportaze reportage reportagen reportaz publicaciones infographics infografika karikaturen humor cartoon
        weekend woche tydzien week edition ausgabe numer arbeit praca prace work trabajo travail lavoro karriera studie
        studies hintergrund analyse analysis analyza analizy fakty fact-check faktencheck faktycheck oko-na verkehr
        transport transporte bahn lotnictwo aviation tiere animals zwierzeta animales zvirata insolite curiosidades
        zajimavosti zaujimavosti ciekawostki curiosita wetterau landwirtschaft rolnictwo agricultura agriculture
        magazine-fr wine wein
    """,
}


def fold(text: str) -> str:
    """Write a text in small letters without accents: `Żółć` → `zolc`."""
    return _fold(text) if len(text) <= 200 else _fold.__wrapped__(text)


@lru_cache(maxsize=32_768)
def _fold(text: str) -> str:
    text = text.lower()
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def _tables() -> tuple[dict[str, str], dict[str, str]]:
    whole: dict[str, str] = {}
    beginnings: dict[str, str] = {}
    for category, words in WORDS.items():
        for word in words.split():
            folded = fold(word)
            (beginnings if folded.endswith("*") else whole).setdefault(folded.rstrip("*"), category)
    return whole, beginnings


_WHOLE, _BEGINNINGS = _tables()
_LENGTHS = sorted({len(beginning) for beginning in _BEGINNINGS}, reverse=True)


@lru_cache(maxsize=16_384)
def category_of(word: str) -> str:
    """Name the category of a folded word, or of several joined by `-`; "" where it says nothing."""
    found = _WHOLE.get(word)
    if found is not None:
        return found
    for length in _LENGTHS:
        if length <= len(word) and (found := _BEGINNINGS.get(word[:length])) is not None:
            return found
    return ""
