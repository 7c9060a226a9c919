"""Words of the web's page types, in the languages of Europe and some of Asia, as they stand in addresses and texts of links.

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
        tagged stichworte themen-tags palabra-clave palabras-clave tagcloud parole-chiave tagged-in klicova-slova
        klucove-slova slowa-kluczowe temy-tagi marcador marcadores tagit etiketler cuvinte-cheie kulcsszavak kulcsszo
        etiket ετικέτα ετικέτες الوسوم وسم תגית תגיות 标签 標籤 タグ キーワード 태그 tu-khoa
    """,
    "author": """
        author authors autor autori autoren autorin autorka autorzy autores autora autore autrice auteur auteurs autrices
        redaktor redaktori redaktorzy redaktion-autor journalist journalists journaliste journalistes journalisten
        periodista periodistas firma firmas columnista columnistas columnist columnists kolumnista kolumnisci writer
        writers staff byline contributor contributors contributeur autorius autoriai szerzo szerzok автор автори авторы
        avtor avtori avtory skribent skribenter forfatter forfattere kirjoittaja toimittaja profil-autor ludzie reporter
        reporters bio colaborador colaboradores blogger bloggers kommentatoren yazar yazarlar syntaktis writers-authors
        our-writers our-journalists unsere-autoren autoren-a-z nasi-autori nasi-autorzy autor-clanku szerzoink szerkesztok
        ecrivains plumes plumas columnistas-opinion articulistas firme opinionisti colunistas avtory-kolumnisty kolumnisty
        auteurs-journalistes medewerkers ekspertai zurnalistai zurnalistas yazarlarimiz kose-yazarlari redactori expert
        experts
        συντάκτης αρθρογράφοι arthrografoi كاتب الكاتب כתבים 作者 记者 記者 기자 tac-gia penulis
    """,
    "video": """
        video videos vidéo vidéos wideo videa videok videoteka videothek videogaleria видео відео mediathek mediateka
        mediatheque mediateca watch replay tele youtube filmy-video player-video videonews videoclip videoclips vod
        videoblog* vidzy webtv clips clip fernsehbeitraege tv-archiv tv-beitrag nagrania filmiki dokumentationen
        vaizdo-irasai vidoslar filmky trailer trailers kurzvideo reels shorts
        βίντεο فيديو וידאו 视频 視頻 影片 動画 영상 동영상
    """,
    "gallery": """
        gallery galleries galerie galerien galeria galerii galerias galleria gallerie galéria galeriak képgaléria
        fotogalerie fotogaleria fotogalerias fotogallery fotogalerija photo photos foto fotos fotografie-galerie
        photogallery bildergalerie bildergalerien bilder bilderstrecke fotostrecke diaporama diaporamas slideshow
        slideshows fotoreportaz fotoreportaze kepek zdjecia фото галерея фотогалерея fotoreport obrazky images pictures
        picture webstories web-stories nuotraukos fotky album albums fotografias imagenes image bildstrecke fotogaleri
        fotostrecken infografiken-galerie bildergalerien-aktuell zdjecia-dnia foto-dne fotografie-dne fotoalbum fotoblog
        album-photo portfolio visual-stories webstory galerije galerija slike fotoserie beeld bildspel kuvat foto-galeri
        galerie-photos en-images
        φωτογραφίες صور תמונות גלריה 图片 圖片 写真 사진 포토 hinh-anh
    """,
    "podcast": """
        podcast* подкаст* audio audios radio-podcast audioteka audiothek poslech radiospiel hoerbuch tinklalaides
        audio-articles ascolta ecouter sluchaj
    """,
    "live": """
        live livestream livestreams live-stream liveticker liveblog liveblogs ticker livecenter direct en-direct endirect
        direto ao-vivo aovivo envivo en-vivo diretta diretta-tv online-prenos zive nazivo na-zywo player onnow ontheair
        lifestream eloben elo uzivo livescore livescores трансляция трансляції онлайн-трансляция stream streaming listen
        listen-live relacja-live live-updates live-blog live-ticker live-tv livetv online-reportaz online-prenosy
        online-prenosov na-zivo tiesiogiai-transliacija online-kozvetites directo-tv ao-vivo-tv pryamaya-translyaciya
        onlayn-translyatsiya pryamoy-efir pryamyy-efir tv-live webradio radio-live live-radio ascolta-la-diretta
        liveuitzending direkte canli canli-yayin canli-tv
    """,
    "tv": """
        tv-programm tv-program programtv tvprogramm tvprogram tv-guide tvguide programme-tv programmetv program-tv
        programa-tv tele-programm sendungen sendung fernsehprogramm canaux-tv tv-schedule schedule schedules broadcasts
        programa-televisivo ramowka iptv empfang broadcast palinsesto telewizja-program tv-musor musor guida-tv
        programacao programacion epg tv-listings tv-tipps tv-streaming tv-heute fernsehen-programm program-tv-dzis
        co-je-v-televizi televizny-program televizni-program tv-ohjelmat tv-tabla tv-rehber tv-programma tv-programi
        tvprogramme programacion-tv programmi-tv sendeplan sendetermine epizody porady porady-a-z audycje radio
        radio-program radioprogramm frequenzen frequencies
    """,
    "legal": """
        legal privacy datenschutz* datenschutzerklaerung impressum imprint terms conditions tos cookie* cookies agb
        nutzungsbedingung* policy policies privacypolicy privatumo privatnost soukromi ochrana-osobnich ochrana gdpr rgpd
        dsgvo regulamin* prywatnosc* prywatnosci polityka-prywatnosci privacidad privacidade confidentialite
        confidentialité mentions mentions-legales cgu cgv avisolegal aviso-legal condiciones terminos términos condizioni
        termini adatvedel* adatkezel* felhasznal* jogi szabalyzat* jatekszabalyzat* impresszum disclaimer copyright
        accessibility accesibilidad accessibilite barrierefreiheit accessibilita warunki правила условия умови
        политика-конфиденциальности конфиденциальн* конфіденційн* користування rules guidelines licence licencia licensing
        ethics widerruf* einwilligung kuendig* kundig* cancellation podminky obchodni vop zasady vseobecne personvern
        integritet tietosuoja sekretess privatlivspolitik vilkar villkor privatezza note-legali zastrzezenia compliance
        transparency transparencia salygos taisykles bezpieczenstwo-danych ftc ccpa do-not-sell urheberrecht jugendschutz
        bedingungen netiquette netykieta code-of-conduct declaration-accessibilite pravila privacy-policy terms-of-use
        terms-of-service terms-and-conditions terms-conditions termsofservice terms-use user-agreement privacy-statement
        privacy-notice legal-notices legal-notice legal-information rechtliches haftungsausschluss teilnahmebedingungen
        allgemeine-nutzungsbedingungen agbs privatsphaere privatsphare datenschutz-einstellungen privacy-einstellungen
        accessibility-statement do-not-sell-my-info your-california-privacy-rights community-guidelines community-rules
        terminos-y-condiciones terminos-de-uso condiciones-de-uso politica-de-privacidad politica-de-cookies
        politica-de-privacidade termos-de-uso politique-de-confidentialite donnees-personnelles gestion-des-cookies charte
        charte-informatique informativa-privacy informativa-cookie cookie-policy gerenza podminky-uziti podminky-pouzivani
        ochrana-soukromi ochrana-udaju ochrana-osobnych-udajov vseobecne-podmienky zasady-ochrany osobni-udaje gdpr-info
        polityka-cookies ochrona-danych rodo zasady-uzytkowania aszf sutik suti-beallitasok felhasznalasi-feltetelek
        adatvedelmi-tajekoztato pravila-polzovaniya politika-konfidencialnosti polityka-konfidentsijnosti
        umovy-vykorystannya privatumo-politika slapukai naudojimo-salygos privacybeleid algemene-voorwaarden cookiebeleid
        gebruiksvoorwaarden personvernerklaering integritetspolicy anvandarvillkor cookiepolitik kayttoehdot
        tietosuojaseloste gizlilik kullanim-kosullari kvkk termeni-si-conditii confidentialitate
        politica-de-confidentialitate politika-privatnosti uvjeti-koristenja pravila-privatnosti pogoji-uporabe zasebnost
        legals jogi-nyilatkozat urheberrechte bildrechte nutzungsrechte widerrufsrecht widerrufsbelehrung
        vertraege-kuendigen kuendigen verbraucherinformationen barrierefreiheitserklaerung
        oroi-xrisis oroi-chrisis oroi-xrhshs politiki-aporritou prosopika-dedomena όροι-χρήσης πολιτική-απορρήτου
        سياسة-الخصوصية الخصوصية شروط-الاستخدام תקנון פרטיות תנאי-שימוש מדיניות-פרטיות הצהרת-נגישות נגישות 隐私政策
        隐私声明 隱私權政策
        隱私政策 版权声明 法律声明 免责声明 使用条款 服務條款 プライバシーポリシー 個人情報保護方針 利用規約 免責事項
        著作権 개인정보처리방침 이용약관 청소년보호정책 dieu-khoan
        dieu-khoan-su-dung chinh-sach-bao-mat syarat-ketentuan syarat-dan-ketentuan kebijakan-privasi pedoman-media-siber
        kasutustingimused privaatsuspoliitika lietosanas-noteikumi privatuma-politika evasteet kakor vilkar-og-betingelser
        politika-za-poveritelnost общи-условия поверителност
    """,
    "about": """
        about about-us aboutus ueber über ueber-uns uber-uns o-nas onas onás o-nás o-firmie o-redakci about-the redakcja
        redakcia redakce redaktion redaccion redacción redazione redaction redactie rolunk impressum-team qui-sommes-nous
        quienes-somos chi-siamo equipe team teamet mission masthead staff-list company corporate press-office presse-info
        pressroom verlag grupo groupe gruppe gruppo konzern apie apie-mus o-projekte o-kompanii o-proekte про-нас о-нас
        о-проекте о-компании organisation organization history-of-us tiraz tirage bip structure szerkesztoseg kiado
        ownership proyecto acerca sobre-nosotros quem-somos om-oss om-os omoss tietoa historia-firmy general_info
        info-about projekty-spoleczne partner partners partnerzy patronat dla-mediow investors investor-relations
        distribution fundacja stiftung foundation who-we-are editorial-standards editorial-policy corrections
        wir-ueber-uns ueber-mich uber-mich about-me das-team meet-the-team die-redaktion unsere-partner pressekontakt
        presseverteiler presse pressefotos press-kit organigramm gremien vorstand praesidium prasidium leitbild satzung
        geschaeftsstelle geschaftsstelle jahresbericht auszeichnungen awards-and-prizes in-eigener-sache transparenz
        o-webu o-serveru o-spolecnosti o-spolocnosti vydavatel vydavatelstvi wydawca o-wydawcy o-portalu o-serwisie
        kim-jestesmy patronaty polecamy impressum-kontakt redaktori-a-kontakty redakcni-tym redakcny-kodex eticky-kodex
        szerzoi impresszum-es kiadoi-adatok la-redaction la-redazione notre-equipe nos-engagements nous-connaitre
        quien-somos nosotros conocenos directorio codigo-etico libro-de-estilo institucional expediente ficha-tecnica
        o-redakcii redakciya redaktsiya redaktsiia pro-nas pro-redaktsiyu pro-kompaniyu redaktsiyna-polityka redakcija
        redakcine-politika over-ons colofon kontakt-redaktion hakkimizda kunye despre-noi echipa o-nama za-nas koi-sme
        our-team our-company our-story staff-directory editorial-team editorial-code trust-project news-standards
        corporate-information impressum-datenschutz work-for-us service services servicios servizi sluzby uslugi uslugos
        info informace
        poioi-eimaste taytotita tautotita ταυτότητα ποιοι-είμαστε من-نحن אודות עלינו 关于我们 關於我們 guanyu guanyuwomen 会社概要
        会社情報 企業情報 運営会社 編集部 회사소개 신문사소개 gioi-thieu toa-soan tentang tentang-kami redaksi
        susunan-redaksi meista kolofon
        toimitus toimetus par-mums par-portalu om-avisen om-avisa urednistvo o-podjetju
    """,
    "contact": """
        contact contacts contact-us contactus kontakt* contacto contactos contatto contatti contato contattaci kapcsolat
        kontaktformular feedback zpetna-vazba complaints complaint beschwerde anfahrt leserbrief tipp-geben send-tip
        sendtips tips susisiekite kontaktai rasykite контакт контакты контакти email-protection mailto ansprechpartner
        napiste napiste-nam yhteystiedot kontakta kontaktujte servicestellen zglos contactanos contacta contactez-nous
        nous-contacter contatti-redazione contate-nos fale-conosco kontakty kontaktai-redakcija kapcsolatfelvetel
        elerhetoseg elerhetosegek submit-a-letter letter-to-the-editor tipp-an-die-redaktion leserbriefe-schreiben
        napiste-redakci kontakt-redakcja skontaktuj-sie report-an-error report-a-correction barriere-melden iletisim
        epikoinonia contact-form kontaktne-informacije اتصل-بنا 联系我们 お問い合わせ
        επικοινωνία epikoinwnia تواصل-معنا צור-קשר צרו-קשר 联系方式 聯絡我們 聯繫我們 お問合せ 문의 lien-he
        hubungi-kami kontak hubungi
        ota-yhteytta yhteydenotto kontaktid
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
        logga-in kirjaudu my-account myaccount mypage preferences einstellungen zugang sesion passwort-vergessen
        forgot-password log-out abmelden settings my-profile my-offers saved-articles create-an-account activate
        mein-profil mein-abo meinaccount jetzt-anmelden registrieren-sie-sich nastaveni muj-ucet moj-ucet odhlasit
        zalogowac wyloguj moje-konto zarejestruj-sie fiokom profilom kijelentkezes se-connecter creer-un-compte mon-compte
        mes-favoris inicia-sesion crear-cuenta cerrar-sesion accedi-registrati il-mio-account entrar-cadastrar minha-conta
        lichnyj-kabinet voyti vhod registraciya mano-paskyra giris giris-yap uye-ol mijn-account min-side min-sida
        mitt-konto oma-tili
        σύνδεση تسجيل-الدخول כניסה התחברות 登录 登錄 登入 注册 註冊 ログイン 会員登録 로그인 회원가입 dang-nhap dang-ky logi-sisse
    """,
    "subscribe": """
        subscribe subscription subscriptions subscriber abo abos abonnement abonnements abonnieren abonnez abonner
        abonament abonamenty suscripcion suscripciones suscribete suscribirse suscripcion* assinatura assine assinar
        abbonamento abbonamenti abbonati prenumerata prenumerator* predplatne predplatit predplat* predplatitel elofizet*
        elofizetes подписка подписаться передплат* підписка prenumerat* prenumeruok membership member members mitglied
        mitgliedschaft tagsag offer offers angebote abo-shop aboshop abonnenten plus-abo premium-abo subscribe-now tilaa
        tilaus abonnere prenumerera probeabo jahresabo oferta-prenumeraty premium-oferta digitalabo mitglied-werden
        become-a-member abo-service aboservice abo-bestellen abo-testen plus-kaufen subscribenow subscriber-services
        subscribe-today manage-subscription subscription-offers digital-subscription premium-predplatne
        prenumerata-cyfrowa e-prenumerata kup-dostep wykup-dostep elofizetoi offre-abonnement s-abonner suscribete-ahora
        hazte-socio hazte-premium abbonati-ora assinantes podpisatsya oformit-podpisku peredplata prenumeruoti abonneren
        abonnementen bliv-abonnent bli-abonnent abonelik abonare
        συνδρομή συνδρομές اشترك מינוי מנויים 订阅 訂閱 購読 구독 구독신청 dat-mua langganan tilaa abonare pretplata narocnina
    """,
    "newsletter": """
        newsletter* newslettery naujienlaiskis naujienlaiskiai hirlevel hírlevél рассылка розсилка boletin boletines
        nyhetsbrev nieuwsbrief uutiskirje push notifications notifiche notificaciones alerts alertes infolettre infomail
        email-newsletters sign-up-for-newsletters newsletter-anmeldung newsletter-signup infolettres boletin-de-noticias
        suscripcion-newsletter newsletter-abonnieren hirlevel-feliratkozas odber-novinek odber-noviniek rozsylka rassylki
        rozsilka naujienlaiskio-prenumerata breaking-news-alerts email-alerts
    """,
    "shop": """
        shop shops store stores sklep sklepy bolt tienda tiendas boutique negozio obchod eshop e-shop shopping webshop
        webaruhaz kaufen kaufradar vergleich vergleiche preisvergleich comparateur comparador tarif tarife tarifvergleich
        marktplatz markt marketplace automarkt stellenmarkt-shop bildungsmarkt immobilienmarkt reisen-buchen reisewelten
        reiseshop leserreisen leserreise knihkupectvi ticketshop tickets ticket bilety vstupenky merchandise merch
        produkte produkt product products produkty dostawa platnosc магазин books-shop buchshop weinshop akademie academy
        kurse kurs idiomas vorteilswelt rabattwelt deals business-services partnershop nakupy nakup reality warenkorb cart
        checkout kosik kosik-nakup koszyk kosar panier carrito carrello winkelwagen onlineshop prospekte
        aktuelle-prospekte einkaufen vorteile bestellen einzelhefte katalog catalog kaufberatung-vergleich tienda-online
        loja sodininko parduotuve obchody magazin-online kauppa butikk webbutik magaza tagesgeld-vergleich
        festgeld-vergleich stromvergleich kreditvergleich dsl-vergleich versicherungsvergleich partnersuche
        partnervermittlung reiseangebote reiseportal ticketservice sponsored-content branded-content sponsoredarticles
        mediashop
    """,
    "coupon": """
        coupon* gutschein* rabatt rabatte rabatty kupon kupony kupony-rabatowe cupon* codepromo code-promo codes-promo
        promocode promo-code descuento descuentos voucher vouchers sconti sconto slevy slevove kody-rabatowe kuponkod
        bons-plans bonplans codigo-promocional discount discounts discount-codes vouchercodes rabattcode rabattcodes
        slevove-kupony zlavove-kupony zlavy slevy-a-kupony kody-promocyjne bons-de-reduction codigos-descuento
        codigos-promocionales codici-sconto kuponok kortingscodes
    """,
    "advertising": """
        advertising advertise advertiser advertisers advertisement ads reklam* inzerce inzercia inzerovat werbung werben
        mediadaten mediakit media-kit publicidad publicite publicidade pubblicita anunciate anunciantes annonceurs
        ratecard hirdet* hirdetes реклама рекламодавцям рекламодателям mediaajanlat mediainfo sponsor sponsored-info
        tarify-reklamowe promo annoncer annonser mainostajille advertorials-info anzeigenannahme anzeigenpreise mediasales
        advertise-with-us advertise-here from-our-advertisers pay-your-ad-bill media-kits inserieren anzeigen-aufgeben
        werben-sie mediainformationen inzercni-podminky inzercia-a-reklama cennik-inzercie cennik reklama-na-webu
        reklama-w-serwisie reklamuj-sie oferta-reklamowa hirdetesi-lehetosegek hirdetoinknek regie-publicitaire
        annoncer-chez-nous publicite-et-partenariats anunciate-con-nosotros tarifas publicita-sul-sito concessionaria
        anuncie reklamodatelyam reklamodavtsyam reklama-na-sajte razmestit-reklamu reklamos-skyrius adverteren
        annonser-hos-oss annonsera reklam-verin publicitate oglasavanje marketing-oglasi mainosta
        διαφήμιση διαφημιστείτε diafimisi diafhmisi أعلن-معنا اعلن-معنا פרסום פרסמו-אצלנו 广告服务 廣告刊登 広告掲載
        광고문의 quang-cao
        iklan info-iklan pasang-iklan reklaam mainosta annonsera annonsere publicitate oglasavanje oglasevanje
    """,
    "jobs": """
        jobs job jobboerse jobborse stellen* stellenmarkt stellenangebote stellenanzeigen karriere careers career
        vacancies vacature vacatures kariera praca-oferty oferty-pracy lista-ofert emploi emplois empleo empleos
        lavora-con-noi allas allasok вакансии вакансії robota-vakansii darbo-skelbimai stillinger jobb ledigajobb
        recruitment hiring kariéra volna-mista prace-nabidky oferta jobs-and-careers job-offers joboffers work-with-us
        working-at praktikum bewerbung karriereportal stellenanzeige kariera-u-nas volne-pozice pracovni-nabidky
        pracovne-ponuky praca-u-nas dolacz-do-nas karrier offres-d-emploi nous-rejoindre recrutement trabaja-con-nosotros
        ofertas-de-empleo trabalhe-conosco vakansii vakansiyi darbas-pas-mus karjera karijera werken-bij ledige-stillinger
        lediga-jobb avoimet-tyopaikat is-ilanlari cariere
    """,
    "classifieds": """
        classifieds classified annonces annonces-legales kleinanzeigen anzeigen ogloszenia ogłoszenia anuncios
        clasificados annunci inzeraty bazar apróhirdetés apro aprohirdetes skelbimai объявления оголошення traueranzeigen
        trauer nekrologi necrologie obituaries obituary avis-de-deces esquelas rubrikk markedsplass nieruchomosci-oferty
        marches-publics immobilien-suche parte-zmarlych kondolencje familienanzeigen anzeige-aufgeben aktuelle-anzeigen
        foreclosures public-notices legal-ads homes-for-sale smutecni-oznameni parte umrtia spomienky
        nekrologi-i-kondolencje gyaszjelentes gyaszhirek carnet avis-de-deces-et-obseques necrologicas necrologi
        obyavleniya oholoshennya uzuojautos skelbimu-portalas familieberichten overlijdensberichten dodsfall dodsannonser
        kuolinilmoitukset vefat-ilanlari decese osmrtnice trauerportal gedenken amtsblatt bekanntmachungen ausschreibungen
    """,
    "games": """
        games game spiele spiel juegos juego jeux jeu giochi gioco hry hra jatekok jatek puzzles puzzle sudoku crossword*
        kreuzwort* kreuzwortraetsel crucigrama* mots-croises krzyzowk* krizovk* wordle quiz quizzes quizy raetsel rätsel
        kviz игры ігри solitaire mahjong memory-spiel pasatiempos tippspiel schach chess snake solitaer solitar
        bubble-shooter 2048 mahjongg kakuro sudoken sudoku-online krizovky-a-hry hadanky osemsmerovky lamigłowki
        lamiglowki rebusy keresztrejtveny rejtveny fejtoro mots-fleches jeux-en-ligne juegos-online sopa-de-letras
        parole-crociate cruciverba palavras-cruzadas krossvordy golovolomki zaidimai kryziazodziai kruiswoord puzzels
        kryssord korsord ristikko bulmaca rebus online-games minigames spelletjes spill spel pelit
    """,
    "feed": """
        rss rss2 feed feeds atom rdf xml-feed flux-rss rss-feed rss-feeds kanaly-rss rssfeeds rss-kanal rss-kanaly
        rss-kanalok flux fluxrss feed-der-eintrage rss-feeds-uebersicht
    """,
    "search": """
        search suche suchen suchergebnis suchergebnisse szukaj wyszukiwarka wyszukaj hledat hledani hladat vyhladavanie
        vyhledavani buscar buscador busca busqueda recherche rechercher cerca ricerca kereses kereso paieska ieskoti поиск
        пошук zoeken sok sogning haku trazi pretraga advanced-search s-search cautare arama find query erweiterte-suche
        volltextsuche archivsuche search-results searchresults site-search vyhladavanie-clankov wyniki-wyszukiwania zoek
        zoekresultaten resultats-de-recherche
        αναζήτηση بحث חיפוש 搜索 搜尋 検索 검색 tim-kiem pencarian haku otsing
    """,
    "help": """
        help hilfe faq faqs aide ayuda aiuto ajuda pomoc napoveda segitseg sugo support помощь допомога pagalba
        customer-service kundenservice kundendienst serviceclient hulp hjalp how-to-use centrumpomocy* wsparcie-techniczne
        mitschnitt technik-hilfe leserservice service-center frequently-asked-questions haeufige-fragen haufige-fragen
        fragen-und-antworten hilfe-center help-center helpcenter support-center leichte-sprache gebaerdensprache
        customer-support caste-dotazy caste-otazky najczesciej-zadawane-pytania gyik gyakori-kerdesek foire-aux-questions
        preguntas-frecuentes domande-frequenti perguntas-frequentes veelgestelde-vragen klantenservice kundeservice
        kundtjanst kundensupport asiakaspalvelu sss yardim navod navody-k-pouziti download downloads formulare
        مساعدة עזרה 帮助 幫助 ヘルプ 도움말 tro-giup bantuan
    """,
    "weather": """
        weather wetter pogoda pocasi pocasie meteo el-tiempo idojaras időjárás погода weer vaer vader saa orai
        prognoza-pogody wetterbericht wettervorhersage vremea vrijeme previsao prevision-meteo weather-forecast
        wetter-aktuell wetterwarnung regenradar radar biometeo predpoved-pocasi predpoved-pocasia pogoda-dlugoterminowa
        pogoda-na-dzis idojaras-elorejelzes previsions-meteo previsioni-meteo el-clima previsao-do-tempo pogoda-segodnya
        pohoda prohnoz-pohody oru-prognoze orai-lietuvoje weerbericht weersverwachting vaeret vejret vejr hava-durumu
        prognoza kairos sinoptik
        καιρός kairos الطقس מזג-אוויר 天气 天氣 天気 날씨 thoi-tiet cuaca
    """,
    "data": """
        results ergebnisse fixtures standings tabelle tabellen table tables points-table estadisticas statistics
        statistiken scores scoreboard vysledky tabulky wyniki tabele resultados clasificacion classement classements
        risultati classifiche eredmenyek sportdaten boersenkurse kurse-boerse stocks quotes kursy-walut notowania
        cotizaciones cours-bourse verkehr-staus staus trafic info-trafic fahrplan rozklad jizdni-rady menetrend*
        benzinpreise spritpreise tankstellen calculator kalkulator rechner calculators kalendarium spielplan spielplaene
        tracker match-center matchcenter live-ergebnisse calendario-de standing ranking rankings datenbank lottozahlen
        loterie-results valutas kurzy kurzy-men devizy cestovny-poriadok stats statistik tabellen-und-ergebnisse
        currencies commodities exchange-rates devisen rohstoffe krypto-kurse mortgage-rates etfs fonds wertpapiere
        kurzovni-listek kurzovy-listok kalkulacka kalkulacky notowania-gield kurs-walut kursy tabela arfolyam arfolyamok
        calculateurs calculadora calculadoras convertitore lottozahlen-quoten lotto loterias loterie tirages
        resultats-loto lotteria wyniki-lotto sazka vysledky-loterii verkehrsmeldungen verkehrslage traffic trafik trafico
        vozni-red polls-results election-results wahlergebnisse volebni-vysledky wyniki-wyborow liveergebnisse
        spielplan-tabelle glossar lexikon glossary wiki brutto-netto-rechner notdienste apothekennotdienst lekarny
        kurs-dolara kurs-valyut horaires kino-program kinoprogramm cartelera cinema-programme repertuar maps map
    """,
    "epaper": """
        epaper e-paper eavisen e-wydanie e-wydania ewydanie kiosk kiosko kiosque edicola digital-edition ejournal
        e-journal elektronicke-vydanie epapir print-edition edicion-impresa edition-du-jour journal-numerique heft-archiv
        e-ausgabe eausgabe zeitung-digital krant eprasa e-gazeta gazeta-cyfrowa pdf-ausgabe e-edition e-editions
        zum-e-paper aktuelle-ausgabe elektronicke-noviny tistene-vydani tlacene-vydanie e-noviny wydanie-cyfrowe
        wydanie-papierowe digitalis-lap lapozo le-journal-du-jour version-numerique edicion-digital edizione-digitale
        sfogliatore edicao-digital pdf-versiya nomer-gazety digitale-krant e-avis e-tidning nakoislehti e-gazete
        print-archive digitaal digitalausgabe
    """,
    "donate": """
        donate donation donations spenden spende dons faire-un-don wesprzyj wesprzyj-nas darowizna darowizn wspieraj
        zbiorka podporte podpor doneer donacion donaciones dona sostienici tamogatas tamogass поддержать підтримати
        support-us paramos parama zahl-ich soutenir soutenez 1procent przekaz jetzt-spenden unterstuetzen unterstutzen
        support-our-journalism become-a-supporter contribute podporte-nas podpor-nas podpora wsparcie wesprzyj-redakcje
        tamogatas-1-szazalek adj-1-szazalek apoyanos sostieni doe-nos apoie podderzhat pidtrymaty paremk steun-ons
        stot-oss doneaza doniraj
    """,
    "horoscope": """
        horoscope* horoskop* horoscopo* oroscopo horoszkop* гороскоп* horoskopai znamenia sternzeichen zodiac sennik
    """,
    "contest": """
        contest contests gewinnspiel* konkurs* sorteo sorteos concours concorso concorsi soutez souteze sutaz sutaze
        nyeremenyjatek* jatekunk giveaway sweepstakes wettbewerb vyhrajte* competition competitions konkurranse tavling
        konkurse verlosung wettbewerbe concursos adventskalender jatekok-nyeremeny sutaze-a-hry soutez-o-ceny plebiscyty
        giveaways verlosungen prijsvraag arverseny
    """,
    "app": """
        app apps application applications mobile-app aplikace aplikacja aplikacje aplikacie aplicacion aplicaciones
        applicazione alkalmazas приложение додаток mobilni-aplikace android ios widgets widget alexa skill
        sprachassistent* mobile-apps mobile-version get-the-app download-app app-download nase-aplikace nasza-aplikacja
        mobilalkalmazas nos-applications nuestras-apps le-nostre-app mobilnoe-prilozhenie mobilnyy-dodatok programele
        unsere-apps smart-speaker alexa-skill
    """,
    "event": """
        calendar calendars kalendar kalender kalendarz calendario calendrier events event veranstaltung* veranstaltungen
        eventos evento evenement evenements akce podujatia wydarzenia-kalendarz rendezveny esemenyek события події
        renginiai agenda webinar webinars conference-tickets seminar seminare seminary plebiscyt* gala termine
        veranstaltungskalender veranstaltungstipps things-to-do kulturni-program co-gdzie-kiedy imprezy
        kalendarium-wydarzen programajanlo sorties agenda-culturel eventi-in-citta afisha afisha-goroda
        renginiu-kalendorius evenementen arrangementer evenemang tapahtumat etkinlikler evenimente dogadjanja webinare
        messen-und-termine calendario-eventos
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
        коментарі disqus hozzaszolasok reacties antworten antworten-abbrechen cancel-reply reply view-comments community
        komentovat odpowiedz odpovedet odpovedat valasz repondre responder rispondi otvetit vidpovisty leave-a-comment
        leave-a-reply add-comment kommentieren kommentar-schreiben pridat-komentar dodaj-komentarz komentari-pravila
    """,
    "sitemap": """
        sitemap sitemaps site-map mapa-webu mapa-stranek mapa-strony mapa-del-sitio plan-du-site plan-site mappa-del-sito
        oldalterkep карта-сайта site-index siteindex index-des-articles mapa-serwisu mapa-servera mapa-stranky mapa-sitio
        mapa-web mapa-do-site karta-sajta karta-saytu svetaines-medis oldalterkep-es sitemap-html a-z
        خريطة-الموقع מפת-אתר 网站地图 網站地圖 サイトマップ 사이트맵 peta-situs
    """,
    "archive": """
        archive archives archiv archiwum archivo archivos archivio arhiv arhiva archivum hemeroteca архив архів archyvas
        arkiv arkisto calendar-archive archiv-clanku archiv-clankov nachrichtenarchiv zeitungsarchiv hemeroteca-digital
        archivio-notizie arhiv-novostej arkhiv archieven arsiv arhiva-stiri archyvo arkivet
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
        kovetkezo elozo zur-startseite zuruck-zur-startseite zuruck-zur-ubersicht zur-ubersicht go-to-homepage hier here
        learn-more mehr-erfahren weitere-artikel weitere-informationen alle-artikel view-all see-all show-more see-more
        voir-tout tout-voir ver-todo ver-mas ver-todas vedi-tutti vedi-tutto zobacz-wszystkie zobacz-wiecej wszystkie
        vsechny-clanky vsetky-clanky zobrazit-vse zobrazit-vse-dalsi osszes tovabbi все-новости усі-новини visos-naujienos
        bekijk-alles se-alle se-alla nayta-kaikki tumu tumunu-gor nachster-artikel vorheriger-artikel
    """,
    "category": """
        category categories kategorie kategorien kategoria kategorii categoria categorias categorie rubrik rubriken
        rubrique rubriques rubryka rubrica rubricas rubric rubriky rubrika rubrikak section sections sekce sekcia sekcja
        seccion secciones sezione sezioni secao ressort ressorts kategori kategorier temat tematy tema temas thema themen
        theme themes topic topics dossier dossiers rovat rovatok dzial dzialy channel channels kanal block blog blogs
        noticias subject subjects specials special spezial temy schwerpunkt reihe serie serien series рубрика рубрики тема
        категория розділ typy avdeling osasto aihe themenseite themenseiten alle-themen all-topics argomenti topic-page
        collection collections hub rubricas-de tema-dne kategorija kategorije kategorijos oblast zona kanaly rubryky
        rozdily
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
        innenriks utenriks dunya ellada europa europe eu usa africa afrika asia asien asie america amerika middle-east
        russia ukraine ukraina ukrajina germany deutschland france polska poland kraj inland belfold domaci domace italia
        italy espana españa national nacional nacion nation country uk britain magyarorszag lietuva lietuvoje krim crimea
        nato local lokal lokales lokalne region regional regiony regionen regiones regio regioes regionalne mesto miasto
        city stadt ville ciudad ciudades warszawa krakow berlin hamburg muenchen madrid barcelona paris london roma milano
        praha brno budapest bratislava kiev kyiv vilnius science wissenschaft wissen nauka veda ciencia sciences scienza
        tudomany наука health gesundheit zdrowie zdravi zdravie salud sante santé salute egeszseg здоровье здоров terveys
        medizin medicina technology technik technologie technologia technologies technika tecnologia tech digital netzwelt
        internet it computer hardware software sprzet oprogramowanie gry gaming smartphone smartphones apps-tests
        environment umwelt klima climate klimat clima medio-ambiente environnement planete nature natur przyroda priroda
        ekologia kosmos space energy energie energia education bildung edukacja educacion scuola skola vzdelavani oktatas
        schule studium opinion opinions meinung meinungen opinie nazory nazor velemeny opinioni tribunes editorial
        editoriales kommentar* komentar* debata debatte debate debates idees kolumnen kolumne columns felietony мнения
        думки nuomones publicystyka publicistika society gesellschaft spoleczenstwo spolecnost spolocnost sociedad societa
        societe obshchestvo общество суспільство tarsadalom samhalle lifestyle life-style life leben stil styl styl-zycia
        estilo style styles eletmod eletstilus gyvenimas fashion mode moda divat beauty uroda krasa belleza food essen
        genuss rezepte recipes recetas recettes ricette przepisy recepty kuchnia kochen cuisine cocina cucina gastronomie
        gastro travel reise reisen podroze cestovani cestovanie viajes voyage voyages viaggi turystyka turizmus utazas
        tourisme family familie rodzina rodina familia famille parents kinder kids dzieci deti eltern partnerschaft
        relaciones love seks dom haus house home-garden wohnen garten ogrod dum-a-zahrada maison casa jardin crime krimi
        kriminalitaet kriminalita kriminal justice justiz prawo pravo recht gericht police blaulicht polizei cerna-kronika
        cernakronika cronica cronaca sucesos faits-divers policia na-sygnale incidents proisshestviya wypadki history
        geschichte historia historie histoire storia religion religia religions kirche kosciol wiara cirkev military
        militaer wojsko difesa verteidigung defense krieg wojna guerra war election elections wahl wahlen wybory volby
        elecciones elezioni valasztas media medien medialne prasa press marketing magazin magazyn magazine magazines
        revista revistas revue ratgeber poradnik poradna tipps guide guides reviews review testy tests test aktuell
        aktuelles aktualnosci aktualno aktualne aktualis aktualijos aktuality actualidad actualite actualites actu
        attualita latest breaking breaking-news news newsroom nachrichten wiadomosci zpravy spravy noticias-hoy notizie
        novosti novini naujienos hirek hir nieuws nyheter nyheder uutiset wydarzenia informacje informationen headlines
        newsticker top-news topnews ultimas-noticias ultimora fil-info kronika stiri ultimi dernieres-nouvelles interview
        interviews wywiady rozhovory entrevistas interviste publications longread longreads reportaze reportage reportagen
        reportaz publicaciones infographics infografika karikaturen humor cartoon weekend woche tydzien week edition
        ausgabe numer arbeit praca prace work trabajo travail lavoro karriera studie studies hintergrund analyse analysis
        analyza analizy fakty fact-check faktencheck faktycheck oko-na verkehr transport transporte bahn lotnictwo
        aviation tiere animals zwierzeta animales zvirata insolite curiosidades zajimavosti zaujimavosti ciekawostki
        curiosita wetterau landwirtschaft rolnictwo agricultura agriculture magazine-fr wine wein home startseite homepage
        accueil portada inicio home-page start uvod domov-stranka strona-glowna kezdolap fooldal glavnaya holovna
        titulinis forsiden etusivu coronavirus corona covid covid-19 china israel iran india japan mexico canada australia
        california design fitness cars bundesliga champions-league premier-league europa-league serie-a ligue-1 laliga
        baseball cricket mlb ufc wwe nascar olympics olympia esports cycling radsport volleyball leichtathletik athletics
        rugby-union horse-racing college-sports high-school-sports other-sports local-sports mehr-sport regionalsport
        lokalsport editorials letters letters-to-the-editor commentary column voices perspectives news-analysis explainer
        explainers investigations features special-reports spotlight trending top-stories latest-news all-news local-news
        world-news us-news u-s-news business-news health-news national-news nation-world us-world asia-pacific
        latin-america americas south-asia white-house congress senate supreme-court us-politics us-elections government
        national-security immigration inflation economics banking insurance investing personal-finance retirement
        small-business taxes consumer transportation mining fintech crypto krypto bitcoin blockchain
        artificial-intelligence kuenstliche-intelligenz kunstliche-intelligenz ki ai cybersecurity security sicherheit
        gadgets e-commerce e-mobilitaet elektromobilitaet elektromobilitat digitalisierung netzpolitik health-fitness
        health-wellness wellness food-drink food-and-drink dining restaurants kitchen living homes home-and-garden
        haus-garten haus-und-garten bauen-wohnen bauen pets haustiere parenting relationships beziehung liebe faith
        outdoors photography architecture architektur comics cartoons celebrations royals promis boulevard pop klassik
        buehne tv-shows movie-reviews multimedia sustainability nachhaltigkeit climate-change klimawandel klimaschutz
        energiewende chronik innenpolitik aussenpolitik landespolitik verbraucher handel industrie unternehmen banken
        aktien versicherungen steuern rente arbeitsrecht verkehrsrecht beruf ausbildung weiterbildung hochschulen
        forschung psychologie philosophie archaeologie weltraum astronomie menschen frauen jugend senioren soziales
        ehrenamt migration integration demokratie meldungen mitteilungen schlagzeilen pressemitteilungen press-releases
        aus-aller-welt in-kuerze regionales bezirke kommunen bayern hessen sachsen thueringen niedersachsen brandenburg
        baden-wuerttemberg nordrhein-westfalen sachsen-anhalt mecklenburg-vorpommern schleswig-holstein rheinland-pfalz
        saarland bremen koeln leipzig dresden stuttgart frankfurt hannover schweiz oesterreich osterreich frankreich
        spanien italien russland grossbritannien polen wien salzburg steiermark zuerich freizeit unterwegs urlaub backen
        alltag ernaehrung fahrberichte motorrad oldtimer buchtipps rezensionen portrait gespraech hintergruende
        presseschau glosse leserbriefe themenwelten sonderthemen entretenimiento tendencias negocios especiales pais
        paises provincias municipios metropoli estados justicia seguridad mascotas bienestar vivir estilo-de-vida
        gastronomia turismo ultima-hora lo-ultimo educacao cotidiano brasil portugal colombia argentina chile peru
        venezuela estados-unidos ee-uu america-latina latinoamerica andalucia cataluna galicia valencia madrid-region
        politique-internationale faits-de-societe enquetes debats idees-debats high-tech medias culture-loisirs loisirs
        cinema-series series vie-pratique conso consommation entreprises emploi-formation patrimoine en-continu a-la-une
        cronache inchieste interni regioni locali sanita ambiente lavoro-economia giustizia tempo-libero calciomercato
        zpravodajstvi zahranicni zahranicie kraje slovensko cesko ceska-republika nemecko polsko rakousko rusko
        komentare-a-nazory fejetony zena zeny muzi vztahy bydleni byvanie zahrada zahrada-a-dum hobby osobnosti prominenti
        podnikani veda-a-technika technet filmy divadlo kobieta kobiety dziecko facet gotowanie kultura-i-sztuka
        nauka-i-technika historia-polski najnowsze popularne polecane z-kraju ze-swiata na-swiecie miasta powiat gmina
        wojewodztwo slask mazowsze malopolska pomorze wielkopolska dolny-slask lodz poznan wroclaw gdansk katowice lublin
        belpolitika kulpolitika bulvar sztarok csalad otthon gasztro kert helyi helyi-hirek helyi-kozelet orszag-vilag
        hazai nemzetkozi kozelet gazdasagi magyar velemenyek interju kek-hirek baleset noi rossiya mneniya intervyu
        tehnologii armiya voyna avto nedvizhimost lyudi zdorove nauka-i-tehnika suspilstvo podii svit viina viyna interviu
        blogy publikatsiyi statti zdorovya tehnologiyi lviv odesa kharkiv dnipro kryminal nadzvychayni verslas mokslas
        sveikata laisvalaikis zmones kriminalai aktualu svarbu naujausi sport-nieuws wetenschap gezondheid economie-nieuws
        cultuur-media regio-nieuws okonomi kultur-nyheter innenrikspolitikk ekonomi-nyheter noje kultur-noje talous
        kulttuuri-viihde urheilu dunya-haberleri spor-haberleri teknoloji magazin-haberleri saglik-haberleri
        politica-interna externe sanatate sportul actualitate eveniment hronika balgaria svyat hrvatska svijet srbija
        drustvo ekonomija magazin-vijesti slovenija gospodarstvo
        政治 経済 社会 国際 文化 国内 科学 体育 国际 财经 娱乐 科技 时政 军事
        교육 정치 경제 사회 문화
        스포츠 국제 اقتصاد ثقافة رياضة سياسة حوادث العالم الرئيسية
    """,
}


def fold(text: str) -> str:
    """Write a text in small letters without accents: `Żółć` → `zolc`."""
    return _fold(text) if len(text) <= 200 else _fold.__wrapped__(text)


@lru_cache(maxsize=8_192)
def _fold(text: str) -> str:
    text = text.lower()
    if text.isascii():
        return text
    return text.translate(_PLAIN)


class _Plain(dict[int, str]):
    """Letters without their accents, worked out when they are first seen."""

    def __missing__(self, code: int) -> str:
        decomposed = unicodedata.normalize("NFKD", chr(code).translate(_LETTERS))
        self[code] = "".join(character for character in decomposed if not unicodedata.combining(character))
        return self[code]


_PLAIN = _Plain()


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


@lru_cache(maxsize=8_192)
def category_of(word: str) -> str:
    """Name the category of a folded word, or of several joined by `-`; "" where it says nothing."""
    found = _WHOLE.get(word)
    if found is not None:
        return found
    for length in _LENGTHS:
        if length <= len(word) and (found := _BEGINNINGS.get(word[:length])) is not None:
            return found
    return ""
