import type { JudgedSearch, Rule } from './judged-search.ts';

const VADUZ = 'r1155956';
const SCHAAN = 'r1155952';
const BALZERS = 'r1155953';
const TRIESEN = 'r1155945';
const RUGGELL = 'r1155950';
const ESCHEN = 'r1155949';
const SCHELLENBERG = 'r1155946';
const TRIESENBERG = 'r1155948';
const MALBUN = [47.1026, 9.6083, 1200] as const;

const MUSEUMS: Rule = { tags: ['tourism=museum', 'tourism=gallery'] };
const HOTELS: Rule = { tags: ['tourism=hotel,guest_house,hostel', 'name~hotel|gasthof'] };
const PHARMACIES: Rule = { tags: ['amenity=pharmacy'] };
const PIZZA: Rule = { tags: ['cuisine=pizza', 'name~pizz'] };
const ITALIAN: Rule = { tags: ['cuisine=italian,pizza', 'name~ristorante|pizzeria|ital'] };
const CASTLE = 'r1252853';
const ART = 'w28712148';
const STADIUM = 'w320911505 w320911507 w485595838 w320911509';
const LAND = 'w243055643';

export const LIECHTENSTEIN: readonly JudgedSearch[] = [
  ['Schloss Vaduz', '', CASTLE, 'de', 'name'],
  ['vaduz castle', '', CASTLE, 'en', 'name in another language'],
  ['château de vaduz', '', CASTLE, 'fr', 'name in another language'],
  ['瓦杜茨城堡', '', CASTLE, 'zh', 'name in another language'],
  ['schlos vaduz', 'Vaduz', CASTLE, 'de', 'typo'],
  ['burg gutenberg', '', 'w437733962', 'de', 'name'],
  ['château de gutenberg', 'Balzers', 'w437733962', 'fr', 'name in another language'],
  ['Kunstmuseum Liechtenstein', 'Vaduz', ART, 'de', 'name'],
  ['kunst museum vaduz', '', ART, 'de', 'joined or split'],
  ['Liechtenstein National Museum', '', LAND, 'en', 'name in another language'],
  ['landesmuseum', 'Vaduz', LAND, 'de', 'part of a name'],
  ['schatzkammer', 'Vaduz', 'n4231615562', 'de', 'part of a name'],
  ['schatzkamer liechtenstein', '', 'n4231615562', 'de', 'typo'],
  ['Postmuseum', '', 'n9837941651', 'de', 'name'],
  ['post museum vaduz', '', 'n9837941651', 'en', 'joined or split'],
  ['walsermus', '', 'n761534749', 'de', 'begun'],
  ['hilti art foundation', '', 'n3685747206', 'en', 'name'],
  ['rheinpark stadion', '', STADIUM, 'de', 'joined or split'],
  ['kathedrale sankt florin', '', 'w28712150', 'de', 'abbreviation'],
  ['St Florin cathedral', 'Vaduz', 'w28712150', 'en', 'name in another language'],
  ['st. laurentius kirche schaan', '', 'w47307298', 'de', 'joined or split'],
  ['Русский памятник', '', 'n5752404321', 'ru', 'name in another language'],
  ['pfaelzerhuette', '', 'w145395030', 'de', 'name in Latin letters'],
  ['pfalzerhutte', 'Triesenberg', 'w145395030', 'de', 'name'],
  ['gafadura hütte', '', 'w105541139', 'de', 'joined or split'],
  ['falknerei galina', '', 'n6520959387 w210655136', 'de', 'name'],
  ['torkel vaduz', '', 'n326059436', 'de', 'part of a name'],
  ['restaurant löwen schellenberg', '', 'w979374640', 'de', 'part of a name'],
  ['hotel gorfion', '', 'w210655054', 'de', 'name'],
  ['gorfoin malbun', '', 'w210655054', 'de', 'typo'],
  ['sonnenhof', 'Vaduz', 'n315637069', 'de', 'part of a name'],
  ['jugendherberge schaan', '', 'n1911099986', 'de', 'part of a name'],
  ['youth hostel vaduz', '', 'n1911099986', 'en', 'kind'],
  ['hofkellerei feldstrasse', '', 'w124047850', 'de', 'name and street'],
  ['LSXB', '', 'w37902079', 'any', 'code'],
  ['migros', '', { tags: ['brand=Migros', 'name~migros'] }, 'de', 'brand'],
  ['migros schaan', '', { tags: ['brand=Migros', 'name~migros'], inside: SCHAAN }, 'de', 'brand'],
  ['coop balzers', '', 'n2356420081', 'de', 'brand'],
  [
    'mac donalds vaduz',
    '',
    { tags: ["brand=McDonald's", 'name~mcdonald'], near: [47.125, 9.523, 4500] },
    'en',
    'brand',
  ],
  ['subway', 'Vaduz', 'n4232215535', 'en', 'brand'],
  ['museum vaduz', '', { ...MUSEUMS, inside: VADUZ }, 'de', 'kind in an area'],
  ['музей Вадуц', '', { ...MUSEUMS, inside: VADUZ }, 'ru', 'kind in an area'],
  ['ファドゥーツ 博物館', '', { ...MUSEUMS, inside: VADUZ }, 'ja', 'kind in an area'],
  ['파두츠 호텔', '', { ...HOTELS, inside: VADUZ }, 'ko', 'kind in an area'],
  ['فندق فادوز', '', { ...HOTELS, inside: VADUZ }, 'ar', 'kind in an area'],
  ['hotel malbun', '', { ...HOTELS, near: MALBUN }, 'de', 'kind in an area'],
  ['hotels in triesen', '', { ...HOTELS, inside: TRIESEN }, 'en', 'kind in an area'],
  ['hotell vaduz', '', { ...HOTELS, inside: VADUZ }, 'sv', 'kind in an area'],
  ['apotheke schaan', '', { ...PHARMACIES, inside: SCHAAN }, 'de', 'kind in an area'],
  ['apoteke balzers', '', { ...PHARMACIES, inside: BALZERS }, 'de', 'typo'],
  ['pharmacy', 'Schaan', { ...PHARMACIES, inside: SCHAAN }, 'en', 'kind'],
  [
    'bäckerei balzers',
    '',
    { tags: ['shop=bakery', 'name~bäckerei'], inside: BALZERS },
    'de',
    'kind in an area',
  ],
  [
    'supermarkt ruggell',
    '',
    { tags: ['shop=supermarket,convenience'], inside: RUGGELL },
    'de',
    'kind in an area',
  ],
  [
    'ruine schellenberg',
    '',
    { tags: ['historic=castle,ruins'], inside: SCHELLENBERG },
    'de',
    'kind in an area',
  ],
  [
    'berggasthaus triesenberg',
    '',
    { tags: ['name~berggast|bergrest', 'tourism=alpine_hut'], inside: TRIESENBERG },
    'de',
    'kind in an area',
  ],
  ['casino liechtenstein', '', { tags: ['amenity=casino'] }, 'en', 'kind'],
  ['casino schan', '', { tags: ['amenity=casino'], inside: SCHAAN }, 'de', 'typo'],
  ['kirche eschen', '', { tags: ['amenity=place_of_worship'], inside: ESCHEN }, 'de', 'kind in an area'],
  ['pizza vaduz', '', { ...PIZZA, inside: VADUZ }, 'de', 'kind and cuisine'],
  ['wo kann ich in schaan italienisch essen', '', { ...ITALIAN, inside: SCHAAN }, 'de', 'question'],
  ['indian restaurant vaduz', '', { tags: ['cuisine=indian'], inside: VADUZ }, 'en', 'kind and cuisine'],
  ['chinesisches restaurant ruggell', '', 'w977570463', 'de', 'kind and cuisine'],
  ['kebab balzers', '', { tags: ['cuisine=kebab', 'name~kebab'], inside: BALZERS }, 'de', 'kind and cuisine'],
  ['vegan restaurant vaduz', '', { tags: ['diet:vegan=yes,only'], inside: VADUZ }, 'en', 'wish'],
  [
    'café mit terrasse schaan',
    '',
    { tags: ['amenity=cafe,restaurant & outdoor_seating=yes'], inside: SCHAAN },
    'de',
    'wish',
  ],
  [
    'rollstuhlgerechtes restaurant schaan',
    '',
    { tags: ['amenity=restaurant & wheelchair=yes'], inside: SCHAAN },
    'de',
    'wish',
  ],
  ['🏰 vaduz', '', { tags: ['historic=castle'], inside: VADUZ }, 'any', 'emoji'],
  ['restaurants near vaduz castle', '', { tags: ['amenity=restaurant'], inside: VADUZ }, 'en', 'question'],
  ['kunstmus', 'Vaduz', ART, 'de', 'begun'],
  ['musuem vaduz', '', { ...MUSEUMS, inside: VADUZ }, 'en', 'typo'],
  ['hotel triesenburg', '', { ...HOTELS, inside: TRIESENBERG }, 'en', 'typo'],
  ['ristorante italiano triesen', '', { ...ITALIAN, inside: TRIESEN }, 'it', 'kind and cuisine'],
];
