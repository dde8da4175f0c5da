import type { JudgedSearch, Rule } from './judged-search.ts';

const SHIBUYA = [35.664, 139.699, 2400] as const;
const SHINJUKU = [35.69, 139.7, 2000] as const;
const ROPPONGI = [35.6628, 139.7315, 1100] as const;
const EBISU = [35.6463, 139.7125, 1300] as const;
const GINZA = [35.6715, 139.765, 900] as const;
const SHIMBASHI = [35.6655, 139.7575, 900] as const;
const AKASAKA = [35.6735, 139.737, 900] as const;

const RAMEN: Rule = { tags: ['cuisine=ramen,noodle', 'name~ラーメン|らーめん|らあめん|ramen'] };
const SUSHI: Rule = { tags: ['cuisine=sushi', 'name~寿司|寿し|鮨|すし|sushi'] };
const MUSEUMS: Rule = { tags: ['tourism=museum', 'tourism=gallery'] };
const HOTELS: Rule = { tags: ['tourism=hotel', 'name~ホテル|hotel'] };
const STARBUCKS = 'brand=スターバックス';
const SEVEN = ['brand=7-ELEVEN,セブン-イレブン', 'name~セブン.?イレブン|7-eleven'];
const LAWSON = ['brand=LAWSON,ローソン', 'name~^(ローソン|lawson)$'];
const HACHIKO = 'n597685675';
const MORI = 'n1420786660';
const KYUBEY = 'n1519676364 n1519676374';
const CONVENIENCE = 'shop=convenience';

export const TOKYO: readonly JudgedSearch[] = [
  ['ハチ公', 'Tokyo', HACHIKO, 'ja', 'part of a name'],
  ['hachiko', '', HACHIKO, 'en', 'name in another language'],
  ['Хатико', 'Tokyo', HACHIKO, 'ru', 'name in another language'],
  ['忠犬八公雕像', '', HACHIKO, 'zh', 'name in another language'],
  ['충견 하치코상', 'Tokyo', HACHIKO, 'ko', 'name in another language'],
  ['hachiko statue shibuya', '', HACHIKO, 'en', 'name in another language'],
  ['森美術館', 'Tokyo', MORI, 'ja', 'name'],
  ['Mori Art Museum', '', MORI, 'en', 'name in another language'],
  ['mori art musem', 'Tokyo', MORI, 'en', 'typo'],
  ['mori bijutsukan', 'Tokyo', MORI, 'ja', 'name in Latin letters'],
  ['太田記念美術館', 'Tokyo', 'n1420774658', 'ja', 'name'],
  ['ota memorial museum', 'Tokyo', 'n1420774658', 'en', 'part of a name'],
  ['刀剣博物館', '', 'n1420767888', 'ja', 'name'],
  ['japanese sword museum', 'Tokyo', 'n1420767888', 'en', 'name in another language'],
  ['artizon museum', '', 'n250668618', 'en', 'name in another language'],
  ['最高裁判所', 'Tokyo', 'n1420781682', 'ja', 'name'],
  ['showakan', '', 'n988763541', 'ja', 'name in Latin letters'],
  ['日比谷神社', 'Tokyo', 'n1025845868', 'ja', 'name'],
  ['hibiya shrine', 'Tokyo', 'n1025845868', 'en', 'name in another language'],
  ['karasumori jinja', '', 'n260408025', 'ja', 'name in Latin letters'],
  ['恵比寿神社', 'Tokyo', 'n340381542', 'ja', 'name'],
  ['東京宝塚劇場', 'Tokyo', 'n260409658', 'ja', 'name'],
  ['Takarazuka Theater', 'Tokyo', 'n260409658', 'en', 'part of a name'],
  ['théâtre takarazuka', '', 'n260409658', 'fr', 'name in another language'],
  ['新宿プリンスホテル', 'Tokyo', 'n475090904', 'ja', 'name'],
  ['신주쿠 프린스 호텔', '', 'n475090904', 'ko', 'name in another language'],
  ['shinjuku prince', 'Tokyo', 'n475090904', 'en', 'part of a name'],
  ['东京凯悦酒店', '', 'n810644323', 'zh', 'name in another language'],
  ['hyatt regency tokyo', '', 'n810644323', 'en', 'name in another language'],
  ['mandarin oriental', 'Tokyo', 'n573261208', 'en', 'part of a name'],
  ['capsule inn tamachi', 'Tokyo', 'n1484734053', 'en', 'name in another language'],
  ['hotel mets shibuya', '', 'n744436432', 'en', 'name in another language'],
  ['久兵衛', '', KYUBEY, 'ja', 'part of a name'],
  ['kyubey', 'Tokyo', KYUBEY, 'en', 'name in Latin letters'],
  ['kyubey ginza', '', KYUBEY, 'en', 'name in another language'],
  ['かんだやぶそば', 'Tokyo', 'n688657370', 'ja', 'name in another language'],
  ['kanda yabu soba', 'Tokyo', 'n688657370', 'en', 'name in another language'],
  ['kandayabusoba', '', 'n688657370', 'en', 'joined or split'],
  ['ボンディ', 'Tokyo', 'n1276856487', 'ja', 'part of a name'],
  ['とんき', '', 'n1597673672', 'ja', 'name'],
  ['afuri', 'Tokyo', 'n1509876356', 'en', 'name'],
  ['野田岩', 'Tokyo', 'n1514994140', 'ja', 'name'],
  ['松本楼', 'Tokyo', 'n469818509', 'ja', 'part of a name'],
  ['matsumotoro', '', 'n469818509', 'en', 'name in Latin letters'],
  ['紀伊国屋書店', 'Tokyo', 'n1502259289', 'ja', 'name'],
  ['kinokuniya', 'Tokyo', 'n1502259289', 'en', 'name in another language'],
  ['スタバ', 'Tokyo', { tags: [STARBUCKS] }, 'ja', 'brand'],
  ['starbucks shibuya', '', { tags: [STARBUCKS], near: SHIBUYA, or: /渋谷/ }, 'en', 'brand'],
  ['スターバックス', 'Tokyo', { tags: [STARBUCKS] }, 'ja', 'brand'],
  ['7-eleven', 'Tokyo', { tags: SEVEN }, 'en', 'brand'],
  ['seven eleven tokyo', '', { tags: SEVEN }, 'en', 'brand'],
  ['세븐일레븐', '', { tags: SEVEN }, 'ko', 'brand'],
  ['セブンイレブン', 'Tokyo', { tags: SEVEN }, 'ja', 'brand'],
  ['lawson', 'Tokyo', { tags: LAWSON }, 'en', 'brand'],
  ['マック', 'Tokyo', { tags: ['brand=マクドナルド'] }, 'ja', 'brand'],
  ['muji tokyo', '', { tags: ['brand=無印良品'] }, 'en', 'brand'],
  ['kfc', 'Tokyo', { tags: ['brand=KFC,ケンタッキーフライドチキン'] }, 'en', 'brand'],
  ['yoshinoya', 'Tokyo', { tags: ['brand=吉野家'] }, 'en', 'brand'],
  ['ラーメン', 'Tokyo', RAMEN, 'ja', 'kind and cuisine'],
  ['ramen tokyo', '', RAMEN, 'en', 'kind and cuisine'],
  ['라멘 도쿄', '', RAMEN, 'ko', 'kind and cuisine'],
  ['ramen TYO', '', RAMEN, 'any', 'code'],
  ['🍜 tokyo', '', RAMEN, 'any', 'emoji'],
  ['寿司 銀座', '', { ...SUSHI, near: GINZA, or: /銀座|ginza/i }, 'ja', 'kind and cuisine'],
  ['where can I eat sushi in Ginza', '', { ...SUSHI, near: GINZA, or: /銀座|ginza/i }, 'en', 'question'],
  ['best ramen in shibuya', '', { ...RAMEN, near: SHIBUYA, or: /渋谷|shibuya/i }, 'en', 'question'],
  ['ramen roppongi', '', { ...RAMEN, near: ROPPONGI, or: /六本木|roppongi/i }, 'en', 'kind and cuisine'],
  ['カフェ 恵比寿', '', { tags: ['amenity=cafe'], near: EBISU, or: /恵比寿/ }, 'ja', 'kind in an area'],
  [
    '居酒屋 新橋',
    '',
    { tags: ['amenity=pub,bar,restaurant'], near: SHIMBASHI, or: /新橋/ },
    'ja',
    'kind in an area',
  ],
  ['hotel shinjuku', '', { ...HOTELS, near: SHINJUKU, or: /新宿|shinjuku/i }, 'en', 'kind in an area'],
  ['新宿 ホテル', 'Tokyo', { ...HOTELS, near: SHINJUKU, or: /新宿|shinjuku/i }, 'ja', 'kind in an area'],
  ['отель Синдзюку', '', { ...HOTELS, near: SHINJUKU, or: /新宿|shinjuku/i }, 'ru', 'kind in an area'],
  ['hotel akasaka', '', { ...HOTELS, near: AKASAKA, or: /赤坂|akasaka/i }, 'en', 'kind in an area'],
  ['musée tokyo', '', MUSEUMS, 'fr', 'kind'],
  ['박물관 도쿄', '', MUSEUMS, 'ko', 'kind'],
  ['博物馆', 'Tokyo', MUSEUMS, 'zh', 'kind'],
  ['Apotheke Tokio', '', { tags: ['amenity=pharmacy'] }, 'de', 'kind'],
  ['薬局', 'Tokyo', { tags: ['amenity=pharmacy'] }, 'ja', 'kind'],
  [
    'convenience store ebisu',
    '',
    { tags: [CONVENIENCE], near: EBISU, or: /恵比寿/ },
    'en',
    'kind in an area',
  ],
  ['神社', 'Tokyo', { tags: ['religion=shinto', 'name~神社|稲荷|八幡|東照宮'] }, 'ja', 'kind'],
  ['銭湯', 'Tokyo', { tags: ['amenity=public_bath', 'leisure=sento'] }, 'ja', 'kind'],
  [
    'カレー',
    'Tokyo',
    { tags: ['cuisine=curry,カレー,indian', 'name~カレー|カリー'] },
    'ja',
    'kind and cuisine',
  ],
  ['coffee with free wifi tokyo', '', { tags: ['amenity=cafe & internet_access=wlan,yes'] }, 'en', 'wish'],
  ['wheelchair accessible cafe', 'Tokyo', { tags: ['amenity=cafe & wheelchair=yes'] }, 'en', 'wish'],
  [
    'convenience store open now shibuya',
    '',
    { tags: ['shop=convenience & open=now'], near: SHIBUYA, or: /渋谷|shibuya/i },
    'en',
    'wish',
  ],
  ['starb', 'Tokyo', { tags: [STARBUCKS] }, 'en', 'begun'],
  ['スターバッ', 'Tokyo', { tags: [STARBUCKS] }, 'ja', 'begun'],
  ['musem tokyo', '', MUSEUMS, 'en', 'typo'],
  ['hotel shinjyuku', '', { ...HOTELS, near: SHINJUKU, or: /新宿|shinjuku/i }, 'en', 'typo'],
  ['суши Токио', '', SUSHI, 'ru', 'kind and cuisine'],
  ['متحف طوكيو', '', MUSEUMS, 'ar', 'kind'],
  ['拉面 东京', '', RAMEN, 'zh', 'kind and cuisine'],
];
