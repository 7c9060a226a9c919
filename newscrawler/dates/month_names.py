"""The names of the months as news sites write them, in some fifty languages, lower case.

Nominative, genitive and the usual short forms; most are those of the Unicode CLDR, as dateparser carries them.
Croatian names some months as other Slavic languages name another month: `CROATIAN` goes first there.
"""

from __future__ import annotations

from newscrawler.dates.writing import fold

_NAMES = (
    (
        "jan january januar jänner janv janvier ene enero gen gennaio janeiro januari sty styczeń stycznia styczen "
        "styczniu led leden ledna lednu január januára січ січень січня янв январь января сту студзень студзеня стд яну "
        "януари јан јануар sij siječanj siječnja siječnju siječnjem јануари ian ianuarie oca ocak ιαν ιανουάριος "
        "ιανουαρίου tammi tammik tammikuu tammikuuta tammikuussa jaan jaanuar janvāris saus sausio sausis ינואר ינו׳ "
        "לינואר בינואר ינו يناير ژانویه ژانویهٔ جنوری जनवरी जन॰ জানু জানুয়ারী জানুয়ারি जाने जानेवारी જાન્યુ જાન્યુઆરી "
        "ஜன ஜனவரி జన జనవరి ಜನ ಜನವರಿ ജനു ജനുവരി ਜਨ ਜਨਵਰੀ มกราคม มค เดือนมกราคม มกรา djan djanuari gener urt urtarrila xan "
        "xaneiro janúar janar იან იანვარი հնվ հունվար հունվարի yan yanvar қаң қаңтар ion ionawr ean eanáir januarie "
        "januári januarja januara јануара جانفي كانون2"
    ),
    (
        "feb february februar feber févr février fév febrero febbraio fev fevereiro februari lut lutego luty lutym úno "
        "únor února únr únoru február februára лют лютий лютого февр февраль февраля фев лютага люты февруари феб фебруар "
        "velj veljača veljače veljači veljačom febr februarie şub şubat φεβ φεβρουάριος φεβρουαρίου helmi helmik helmikuu "
        "helmikuuta helmikuussa veebr veebruar februāris vas vasario vasaris פברואר פבר׳ בפברואר לפברואר פבר فبراير فوریه "
        "فوریهٔ فبروری फ़रवरी फ़र॰ ফেব ফেব্রুয়ারী ফেব্রুয়ারি फेब्रु फेब्रुवारी ફેબ્રુ ફેબ્રુઆરી பிப் பிப்ரவரி ఫిబ్ర "
        "ఫిబ్రవరి ಫೆಬ್ರ ಫೆಬ್ರವರಿ ഫെബ്രു ഫെബ്രുവരി ਫ਼ਰ ਫ਼ਰਵਰੀ فروری กพ กุมภาพันธ์ เดือนกุมภาพันธ์ กุมภา peb pebruari "
        "febrer ots otsaila febreiro febrúar shk shkurt თებ თებერვალი փետրվար փետրվարի փտվ fevral ақп ақпан chw chwef "
        "chwefror feabh feabhra pebrero februári februarja februara фебруара شباط فيفري"
    ),
    (
        "mar march mär märz mrz mars marzo março maart mrt marca marzec marcu bře březen března březnu marec бер березень "
        "березня берез мар март марта сак сакавік сакавіка ožu ožujak ožujka ožujku ožujkom mart márc március már martie "
        "μάρ μάρτιος μαρ μαρτίου marts maalis maalisk maaliskuu maaliskuuta maaliskuussa märts kov kovas kovo מרץ במרץ "
        "למרץ מרס במרס למרס מארס במארס למארס مارس مارچ मार्च মার্চ માર્ચ மார் மார்ச் మార్చి ಮಾರ್ಚ್ മാർ മാർച്ച് ਮਾਰਚ มีค "
        "มีนาคม เดือนมีนาคม มีนา maret mac març martxoa მარ მარტი մարտ մարտի մրտ нау наурыз maw mawrth márta machi marso "
        "marci marta آذار اذار mrch"
    ),
    (
        "apr april avr avril abr abril aprile kwi kwiecień kwietnia kwiecien kwietniu kwie dub duben dubna dubnu apríl "
        "apríla квіт квітень квітня кві апр апрель апреля кра красавік красавіка крс април tra travanj travnja travnju "
        "travnjem ápr április aprilie nis nisan απρ απρίλιος απριλίου huhti huhtik huhtikuu huhtikuuta huhtikuussa aprill "
        "aprīlis bal balandis balandžio אפריל אפר׳ באפריל לאפריל אפר أبريل آوریل اپریل अप्रैल এপ্রি এপ্রিল एप्रि एप्रिल "
        "એપ્રિલ ஏப் ஏப்ரல் ఏప్రి ఏప్రిల్ ಏಪ್ರಿ ಏಪ್ರಿಲ್ ഏപ്രി ഏപ്രിൽ ਅਪ੍ਰੈ ਅਪ੍ਰੈਲ เมย เมษายน เมษา เดือนเมษายน d'abr "
        "d'abril api apirila pri prill აპრ აპრილი ապր ապրիլ ապրիլի aprel сәу сәуір ebr ebrill aib aibreán aprili apríli "
        "aprila априла نيسان أفريل ابريل افريل"
    ),
    (
        "may mai mayo mag maggio maio mei maj maja maju kvě květen května květnu máj mája трав травень травня тра май мая "
        "траўня мај svi svibanj svibnja svibnju svibnjem május mayıs μάι μάιος μαΐ μαΐου touko toukok toukokuu toukokuuta "
        "toukokuussa maijs geg gegužė gegužės מאי במאי למאי مايو مه مهٔ می मई মে मे મે மே మే ಮೇ മേയ് ਮਈ مئی พค พฤษภาคม "
        "เดือนพฤษภาคม พฤษภา maig maiatza maí მაი მაისი մայիս մայիսի մյս мам мамыр beal bealtaine máji маја أيار ايار ماي"
    ),
    (
        "jun june juni juin junio giu giugno junho cze czerwca czerwiec czerwcu červen června čvn čer červnu jún júna "
        "черв червень червня чер июн июнь июня чэр чэрвень чэрвеня юни јун lipanj lipnja lipnju lipnjem junij јуни június "
        "iun iunie haz haziran ιουν ιουνίου ιούν ιούνιος kesä kesäk kesäkuu kesäkuuta kesäkuussa juuni jūn jūnijs birž "
        "birželio birželis יוני ביוני ליוני יונ يونيو يونيه يونية ژوئن جون जून জুন જૂન ஜூன் జూన్ ಜೂನ್ ജൂൺ ਜੂਨ มิถุนายน "
        "มิย เดือนมิถุนายน มิถุนา djuni juny eka ekaina xuño júní qer qershor ივნ ივნისი հնս հունիս հունիսի iyn iyun "
        "i̇yun мау маусым meh mehefin meith meitheamh junie hun hunyo júni junija juna јуна حزيران جوان"
    ),
    (
        "jul july juli juil juillet julio lug luglio julho lip lipca lipiec lipcu července červenec čvc črc červenci črv "
        "júl júla лип липень липня июл июль июля ліп ліпень ліпеня юли јул srpanj srpnja srpnju srpnjem julij јули július "
        "iul iulie tem temmuz ιουλ ιουλίου ιούλ ιούλιος heinä heinäk heinäkuu heinäkuuta heinäkuussa juuli jūl jūlijs "
        "liep liepa liepos יולי ביולי ליולי יול يوليو يوليه يولية ژوئیه ژوئیهٔ جولای जुलाई जुल॰ জুল জুলাই जुलै જુલાઈ ஜூலை "
        "జులై ಜುಲೈ ജൂലൈ ਜੁਲਾ ਜੁਲਾਈ جولائی กค กรกฎาคม เดือนกรกฏาคม กรกฎา djuli julai juliol uzt uztaila xul xullo júlí "
        "korr korrik kor ივლ ივლისი հլս հուլիս հուլիսի iyl iyul i̇yul шіл шілде gor gorff gorffennaf iúil julie hul hulyo "
        "júli julija jula јула تموز جويلية"
    ),
    (
        "aug august août aoû ago agosto augustus sie sierpień sierpnia sierpien sierpniu srp srpen srpna srpnu augusta "
        "серп серпень серпня сер авг август августа жні жнівень жніўня жнівеня жнв kol kolovoz kolovoza kolovozu "
        "kolovozom avg avgust augusztus ağu ağustos αυγ αυγούστου αύγ αύγουστος augusti elo elok elokuu elokuuta "
        "elokuussa augusts rugp rugpjūtis rugpjūčio אוגוסט אוג׳ באוגוסט לאוגוסט אוג أغسطس اوت آگست अगस्त अग॰ আগ আগস্ট ऑग "
        "ऑगस्ट ઑગસ્ટ ஆக ஆகஸ்ட் ఆగ ఆగస్టు ಆಗ ಆಗಸ್ಟ್ ഓഗ ഓഗസ്റ്റ് ਅਗ ਅਗਸਤ اگست สค สิงหาคม สิงหา เดือนสิงหาคม agu agustus agt "
        "ogo ogos agost d'ag d'agost abu abuztua ágú ágúst gush gusht gsh აგვ აგვისტო օգոստոս օգոստոսի օգս avq avqust там "
        "тамыз awst lún lúnasa agosti auguste avgusta آب أوت غشت اغسطس"
    ),
    (
        "sep september sept septembre septiembre setiembre set settembre setembro septembro wrz wrzesień września "
        "wrzesien wrzesnia wrześniu wrzesniu zář září septembra вер вересень вересня верес сент сентябрь сентября сен "
        "верасень верасня врс сеп септември септ септм септембар ruj rujan rujna rujnu rujnom septembar szept szeptember "
        "septembrie eyl eylül σεπ σεπτέμβριος σεπτεμβρίου syys syysk syyskuu syyskuuta syyskuussa septembris rugs "
        "rugsėjis rugsėjo ספטמבר ספט׳ בספטמבר לספטמבר ספט سبتمبر سپتامبر سپتمبر सितंबर सित॰ सितम्बर সেপ সেপ্টেম্বর सप्टें "
        "सप्टेंबर સપ્ટે સપ્ટેમ્બર செப் செப்டம்பர் సెప్టెం సెప్టెంబర్ ಸೆಪ್ಟೆಂ ಸೆಪ್ಟೆಂಬರ್ സെപ്റ്റം സെപ്റ്റംബർ ਸਤੰ ਸਤੰਬਰ "
        "ستمبر กย กันยายน กันยา เดือนกันยายน setembre ira iraila sht shtator სექ სექტემბერი սեպ սեպտեմբեր սեպտեմբերի sen "
        "sentyabr қыр қыркүйек medi mfómh septemba setyembre septembri септембра أيلول ايلول شتنبر"
    ),
    (
        "oct october okt oktober octobre octubre ott ottobre out outubro paź październik października pazdziernik "
        "pazdziernika październiku pazdzierniku paz říj říjen října říjnu október októbra жовт жовтень жовтня жов окт "
        "октябрь октября кас кастрычнік кастрычніка кст октомври октобар listopadom oktobar octombrie eki ekim οκτ "
        "οκτωβρίου οκτώβριος loka lokak lokakuu lokakuuta lokakuussa oktoober oktobris spal spalio spalis אוקטובר אוק׳ "
        "באוקטובר לאוקטובר אוק أكتوبر اکتبر اکتوبر अक्तूबर अक्तू॰ अक्टूबर অক্টো অক্টোবর ऑक्टो ऑक्टोबर ઑક્ટો ઑક્ટોબર அக் "
        "அக்டோபர் అక్టో అక్టోబర్ ಅಕ್ಟೋ ಅಕ್ಟೋಬರ್ ഒക്ടോ ഒക്‌ടോബർ ਅਕਤੂ ਅਕਤੂਬਰ ตค ตุลาคม เดือนตุลาคม ตุลา d'oct d'octubre urr "
        "urria tet tetor ოქტ ოქტომბერი հոկ հոկտեմբեր հոկտեմբերի oktyabr қаз қазан hyd hydref dfómh oktoba oktubre októbri "
        "oktobra октобра اكتوبر تشرين1"
    ),
    (
        "nov november novembre noviembre novembro lis listopad listopada listopadzie listopadu novembra лист листопад "
        "листопада листоп лис нояб ноябрь ноября ноя ліс лістапад лістапада ное ноември нов новембар stu studeni "
        "studenoga studenom studenomu studenome studenog studenim novembar ноем noiembrie noiem kas kasım νοέ νοέμβριος "
        "νοε νοεμβρίου marras marrask marraskuu marraskuuta marraskuussa novembris lapkr lapkritis lapkričio נובמבר נוב׳ "
        "בנובמבר לנובמבר נוב نوفمبر نوامبر نومبر नवंबर नव॰ नवम्बर নভে নভেম্বর नोव्हें नोव्हेंबर નવે નવેમ્બર நவ நவம்பர் "
        "నవం నవంబర్ ನವೆಂ ನವೆಂಬರ್ നവം നവംബർ ਨਵੰ ਨਵੰਬਰ พย พฤศจิกายน เดือนพฤศจิกายน พฤศจิ nop nopember aza azaroa nóv "
        "nóvember nën nëntor ნოე ნოემბერი նոյ նոյեմբեր նոյեմբերի noy noyabr қар қараша tach tachwedd samh samhain novemba "
        "nob nobyembre novembri новембра نونبر تشرين2"
    ),
    (
        "dec december dez dezember déc décembre dic diciembre dicembre dezembro gru grudnia grudzień grudzien grudniu "
        "prosince prosinec prosinci decembra груд грудень грудня гру дек декабрь декабря сне снежань снежня снж декември "
        "дец децембар prosinac prosinca prosincu prosincem decembar decembrie ara aralık δεκ δεκέμβριος δεκεμβρίου des "
        "desember joulu jouluk joulukuu joulukuuta joulukuussa dets detsember decembris gruod gruodis gruodžio דצמבר דצמ׳ "
        "בדצמבר לדצמבר דצמ ديسمبر دسامبر دسمبر दिसंबर दिस॰ दिसम्बर ডিসে ডিসেম্বর डिसें डिसेंबर ડિસે ડિસેમ્બર டிச டிசம்பர் "
        "డిసెం డిసెంబర్ ಡಿಸೆಂ ಡಿಸೆಂಬರ್ ഡിസം ഡിസംബർ ਦਸੰ ਦਸੰਬਰ ธค ธันวาคม เดือนธันวาคม ธันวา dis disember desembre abe "
        "abendua decembro dhj dhjetor დეკ დეკემბერი դեկ դեկտեմբեր դեկտեմբերի dek dekabr жел желтоқсан rhag rhagfyr noll "
        "nollaig desemba disyembre decembri децембра دجنبر كانون1"
    ),
)
#: Month number by name.
MONTHS = {name: number for number, names in enumerate(_NAMES, 1) for name in names.split()}
#: The Croatian names that mean another month in Czech or Polish.
CROATIAN = {"lip": 6, "lis": 10, "listopad": 10, "listopada": 10, "listopadu": 10, "srp": 7}
_FOLDED: dict[str, int] = {}


def month_of(word: str, languages: tuple[str, ...] = ()) -> int | None:
    """Give the number of a month's name, with or without its accents."""
    word = word.lower().rstrip("'")
    if languages and languages[0] in {"hr", "bs"} and word in CROATIAN:
        return CROATIAN[word]
    found = MONTHS.get(word)
    if found is None and not word.isascii():
        found = MONTHS.get(word.replace("i̇", "i"))
    if found is None and len(word) > 3:
        if not _FOLDED:
            for name, number in MONTHS.items():
                _FOLDED.setdefault(_plain(name), number)
        found = _FOLDED.get(_plain(word))
    return found


def _plain(word: str) -> str:
    """Fold a word; Turkish capitals lose their dotless i in small letters ("KASIM")."""
    return fold(word).replace("ı", "i")
