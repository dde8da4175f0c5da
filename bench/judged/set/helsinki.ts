import type { JudgedSearch, Rule } from './judged-search.ts';

const HAKANIEMI = [60.1785, 24.9505, 450] as const;
const KLUUVI = [60.1708, 24.9473, 600] as const;
const KAISANIEMI = [60.1725, 24.946, 500] as const;

const PHARMACIES: Rule = { tags: ['amenity=pharmacy'] };
const MUSEUMS: Rule = { tags: ['tourism=museum', 'tourism=gallery'] };
const SUSHI: Rule = { tags: ['cuisine=sushi,japanese', 'name~sushi'] };
const HOTELS: Rule = { tags: ['tourism=hotel'] };
const MCDONALDS = 'name~^mcdonald';
const CATHEDRAL = 'w419479428';
const MARKET_HALL = 'w123814071';
const OODI = 'w596937289';
const CHAPEL = 'w185401488';
const NATIONAL_LIBRARY = 'w122595247 n369550855';

export const HELSINKI: readonly JudgedSearch[] = [
  ['Helsinki Cathedral', '', CATHEDRAL, 'en', 'name in another language'],
  ['tuomiokirkko', 'Helsinki', CATHEDRAL, 'fi', 'part of a name'],
  ['Helsingfors domkyrka', '', CATHEDRAL, 'sv', 'name in another language'],
  ['Kathedrale von Helsinki', '', CATHEDRAL, 'de', 'name in another language'],
  ['헬싱키 대성당', '', CATHEDRAL, 'ko', 'name in another language'],
  ['赫爾辛基座堂', 'Helsinki', CATHEDRAL, 'zh', 'name in another language'],
  ['Old Market Hall', '', MARKET_HALL, 'en', 'name in another language'],
  ['gamla saluhallen', 'Helsinki', MARKET_HALL, 'sv', 'name in another language'],
  ['vanha kaupahalli', 'Helsinki', MARKET_HALL, 'fi', 'typo'],
  ['oodi', 'Helsinki', OODI, 'fi', 'part of a name'],
  ['helsinki central library', '', OODI, 'en', 'name in another language'],
  ['ヘルシンキ中央図書館', '', OODI, 'ja', 'name in another language'],
  ['Kamppi Chapel', 'Helsinki', CHAPEL, 'en', 'name in another language'],
  ['Часовня тишины', '', CHAPEL, 'ru', 'name in another language'],
  ['康比静默礼拜堂', 'Helsinki', CHAPEL, 'zh', 'name in another language'],
  ['Ateneum', 'Helsinki', 'w8033120', 'fi', 'name'],
  ['музей Атенеум', '', 'w8033120', 'ru', 'name in another language'],
  ['kiasma museum', 'Helsinki', 'w8042215', 'en', 'name'],
  ['amosrex', 'Helsinki', 'n5887336141', 'fi', 'joined or split'],
  ['national library', 'Helsinki', NATIONAL_LIBRARY, 'en', 'name in another language'],
  ['nationalbiblioteket', '', NATIONAL_LIBRARY, 'sv', 'name in another language'],
  ['swedish theatre helsinki', '', 'w122965398', 'en', 'name in another language'],
  ['kansallisteateri', 'Helsinki', 'w122595207', 'fi', 'typo'],
  ['esplanadi puisto', 'Helsinki', 'w28328802', 'fi', 'joined or split'],
  ['Парк Эспланада', 'Helsinki', 'w28328802', 'ru', 'name in another language'],
  ['three smiths statue', '', 'n1380976595', 'en', 'name in another language'],
  ['havis amanda', 'Helsinki', 'n1376320186', 'fi', 'name'],
  ['stockman', 'Helsinki', { tags: ['name~^stockmann'] }, 'en', 'typo'],
  ['Стокманн', '', 'w122595241', 'ru', 'name in another language'],
  ['Hotel Kamp', 'Helsinki', 'n606996919', 'en', 'name'],
  ['sokos hotel vaakuna', '', 'n1369465692', 'fi', 'part of a name'],
  ['hotelli torni', 'Helsinki', 'w123525580', 'fi', 'name'],
  ['scandic hakaniemi', '', 'n701305091', 'en', 'brand'],
  ['radison blu plaza', 'Helsinki', 'n1369465662', 'en', 'typo'],
  ['kappeli', 'Helsinki', 'n1376320188', 'fi', 'name'],
  ['kosmos kalevankatu', '', 'n1380976598', 'fi', 'name and street'],
  ['fazer cafe kluuvikatu', '', 'n606996912', 'fi', 'name and street'],
  ['akateeminen kirjak', 'Helsinki', 'n1369465537', 'fi', 'begun'],
  ['finnjavel', 'Helsinki', 'n76609844', 'fi', 'name'],
  ['cafe eng', 'Helsinki', 'n307465178', 'fi', 'begun'],
  ['mollymalones', '', 'n1376356020', 'en', 'joined or split'],
  ['vltava', 'Helsinki', 'w122595277', 'fi', 'name'],
  ['hesburger kasarmikatu', '', 'n293903991', 'fi', 'brand'],
  ['mcdonalds', 'Helsinki', { tags: [MCDONALDS] }, 'en', 'brand'],
  ['espresso house', 'Helsinki', { tags: ['name~espresso house'] }, 'sv', 'brand'],
  ['apteekki', 'Helsinki', PHARMACIES, 'fi', 'kind'],
  ['apotek Helsingfors', '', PHARMACIES, 'sv', 'kind'],
  ['аптека в Хельсинки', '', PHARMACIES, 'ru', 'kind'],
  ['약국 헬싱키', '', PHARMACIES, 'ko', 'kind'],
  ['صيدلية هلسنكي', '', PHARMACIES, 'ar', 'kind'],
  ['museo', 'Helsinki', MUSEUMS, 'fi', 'kind'],
  ['ヘルシンキ 美術館', '', MUSEUMS, 'ja', 'kind'],
  ['kirjakauppa', 'Helsinki', { tags: ['shop=books', 'name~kirjakauppa'] }, 'fi', 'kind'],
  ['bookshop helsinki', '', { tags: ['shop=books'] }, 'en', 'kind'],
  ['hotelli hakaniemi', '', { ...HOTELS, near: HAKANIEMI, or: /hakaniemi/i }, 'fi', 'kind in an area'],
  ['hotell i Kajsaniemi', '', { ...HOTELS, near: KAISANIEMI, or: /kaisaniem/i }, 'sv', 'kind in an area'],
  ['hotel helsinky', '', HOTELS, 'en', 'typo'],
  ['酒店 赫尔辛基', '', HOTELS, 'zh', 'kind'],
  ['kahvila kluuvi', '', { tags: ['amenity=cafe'], near: KLUUVI, or: /kluuvi/i }, 'fi', 'kind in an area'],
  [
    'supermarket in hakaniemi',
    '',
    { tags: ['shop=supermarket,convenience'], near: HAKANIEMI, or: /hakaniemi/i },
    'en',
    'kind in an area',
  ],
  ['sushi', 'Helsinki', SUSHI, 'en', 'kind and cuisine'],
  ['🍣 helsinki', '', SUSHI, 'any', 'emoji'],
  ['sushi HEL', '', SUSHI, 'any', 'code'],
  [
    'nepalilainen ravintola helsinki',
    '',
    { tags: ['cuisine=nepalese', 'name~nepal'] },
    'fi',
    'kind and cuisine',
  ],
  ['mexican', 'Helsinki', { tags: ['cuisine=mexican,tex-mex'] }, 'en', 'kind and cuisine'],
  ['ristorante italiano helsinki', '', { tags: ['cuisine=italian,pizza'] }, 'it', 'kind and cuisine'],
  ['грузинский ресторан Хельсинки', '', { tags: ['cuisine=georgian'] }, 'ru', 'kind and cuisine'],
  [
    'best vegan restaurants in helsinki',
    '',
    { tags: ['diet:vegan=yes,only', 'cuisine=vegan'] },
    'en',
    'question',
  ],
  ['esteetön ravintola', 'Helsinki', { tags: ['amenity=restaurant & wheelchair=yes'] }, 'fi', 'wish'],
  ['supermarket open now helsinki', '', { tags: ['shop=supermarket,convenience & open=now'] }, 'en', 'wish'],
  ['café with wifi', 'Helsinki', { tags: ['amenity=cafe & internet_access=wlan,yes'] }, 'en', 'wish'],
  ['karaoke helsinki', '', { tags: ['name~karaoke'] }, 'en', 'kind'],
  ['musuem helsinki', '', MUSEUMS, 'en', 'typo'],
  ['tuomiokir', 'Helsinki', 'w419479428 n4371604494', 'fi', 'begun'],
  ['レストラン ヘルシンキ', '', { tags: ['amenity=restaurant'] }, 'ja', 'kind'],
  ['متحف هلسنكي', '', MUSEUMS, 'ar', 'kind'],
  ['pizzaa', 'Helsinki', { tags: ['cuisine=pizza', 'name~pizz'] }, 'fi', 'typo'],
];
