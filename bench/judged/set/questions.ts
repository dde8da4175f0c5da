import type { Extract } from '../map-objects.ts';
import type { Rule } from './judged-search.ts';

/** Extract, settlement, question, and what every place of an answer must be that honours all of it. */
export type JudgedQuestion = readonly [
  extract: Extract,
  settlement: string,
  question: string,
  right: string | Rule,
];

const FOOD = 'amenity=restaurant,fast_food,cafe,bar,pub,biergarten,food_court';
const LODGING = 'tourism=hotel,hostel,guest_house,apartment,motel,chalet';
const PIZZA = ['cuisine=pizza,italian_pizza', 'name~pizz'];
const SUSHI = ['cuisine=sushi', 'name~sushi|寿司|鮨|すし|寿し'];
const JAPANESE = ['cuisine=japanese,sushi,ramen,soba,udon,noodle', 'name~sushi'];
const ITALIAN = ['cuisine=italian,pizza,pasta,italian_pizza,roman', 'name~pizz|ristorante|trattoria'];
const MUSEUM = ['tourism=museum,gallery', 'name~muse'];
const PHARMACY = ['amenity=pharmacy', 'healthcare=pharmacy', 'shop=chemist'];
const CAFE = ['amenity=cafe', 'cuisine=coffee_shop', 'name~caf|coffee|kahvi', 'shop=coffee,tea'];
const BAR = ['amenity=bar,pub,nightclub,biergarten', 'name~bar|pub'];
const SUPERMARKET = ['shop=supermarket,convenience,department_store'];

export const QUESTIONS: readonly JudgedQuestion[] = [
  ['monaco', 'Monaco', 'Where can I eat pizza in Fontvieille?', { tags: PIZZA, inside: 'r2220206' }],
  ['monaco', 'Monaco', 'Which museums are in Monaco-Ville?', { tags: MUSEUM, inside: 'r2220207' }],
  ['monaco', 'Monaco', 'A hotel in Monte-Carlo, please', { tags: [LODGING], inside: 'r5986438' }],
  ['monaco', 'Monaco', 'Is there a pharmacy in La Condamine?', { tags: PHARMACY, inside: 'r2221178' }],
  ['monaco', 'Monaco', 'Une pharmacie à Fontvieille', { tags: PHARMACY, inside: 'r2220206' }],
  ['monaco', 'Monaco', 'Bars in Larvotto', { tags: BAR, inside: 'r5986437' }],
  ['monaco', 'Monaco', 'Italian restaurant open now', { tags: ITALIAN.map((one) => `${one} & open=now`) }],
  ['monaco', 'Monaco', 'Is the Musée Océanographique open now?', 'w23715051'],
  ['monaco', 'Monaco', 'Is Beefbar open on Sunday at 20:00?', 'n2622751934'],
  ['monaco', 'Monaco', 'Restaurants with outdoor seating', { tags: [`${FOOD} & outdoor_seating=yes`] }],
  [
    'monaco',
    'Monaco',
    'Wheelchair accessible restaurants',
    { tags: [`${FOOD} & wheelchair=yes,designated`] },
  ],
  ['monaco', 'Monaco', 'Hotels with wifi', { tags: [`${LODGING} & internet_access=wlan,yes`] }],
  ['monaco', 'Monaco', 'Wo bekomme ich Sushi?', { tags: [...SUSHI, 'cuisine=japanese'] }],
  ['monaco', 'Monaco', 'Is the Hermitage wheelchair accessible?', 'n1759785871'],
  ['andorra', 'Andorra la Vella', 'Where is a museum in Ordino?', { tags: MUSEUM, inside: 'r2804758' }],
  ['andorra', 'Andorra la Vella', 'Hotels in Soldeu', { tags: [LODGING], near: [42.577, 1.668, 2500] }],
  ['andorra', 'Andorra la Vella', 'Hotels in Encamp', { tags: [LODGING], inside: 'r2804755' }],
  ['andorra', 'Andorra la Vella', 'Una farmacia en Encamp', { tags: PHARMACY, inside: 'r2804755' }],
  ['andorra', 'Andorra la Vella', 'Pizza in La Massana', { tags: PIZZA, inside: 'r2804757' }],
  ['andorra', 'Andorra la Vella', 'Restaurants in Escaldes-Engordany', { tags: [FOOD], inside: 'r2804756' }],
  ['andorra', 'Andorra la Vella', 'Bars in Pas de la Casa', { tags: BAR, near: [42.5435, 1.7335, 2500] }],
  ['andorra', 'Andorra la Vella', 'Is the Museu Carmen Thyssen open now?', 'n7091170367'],
  [
    'andorra',
    'Andorra la Vella',
    'Which fuel stations are open 24 hours?',
    { tags: ['amenity=fuel & opening_hours=24/7'] },
  ],
  [
    'andorra',
    'Andorra la Vella',
    'Restaurant con terraza en Canillo',
    { tags: [`${FOOD} & outdoor_seating=yes`], inside: 'r2804754' },
  ],
  [
    'andorra',
    'Andorra la Vella',
    'Hotel with wifi in La Massana',
    { tags: [`${LODGING} & internet_access=wlan,yes`], inside: 'r2804757' },
  ],
  ['andorra', 'Andorra la Vella', 'A mexican restaurant', { tags: ['cuisine=mexican,tex-mex'] }],
  [
    'andorra',
    'Andorra la Vella',
    'Vegan restaurant in Andorra la Vella',
    { tags: ['diet:vegan=yes,only'], inside: 'r2804753' },
  ],
  ['andorra', 'Andorra la Vella', 'Is Caldea open tomorrow at 11:00?', 'r14119593'],
  ['liechtenstein', 'Vaduz', 'Where can I eat pizza in Vaduz?', { tags: PIZZA, inside: 'r1155956' }],
  ['liechtenstein', 'Vaduz', 'Museums in Vaduz', { tags: MUSEUM, inside: 'r1155956' }],
  [
    'liechtenstein',
    'Vaduz',
    'Hotel in Malbun',
    { tags: [LODGING, 'name~hotel'], near: [47.1026, 9.6083, 2000] },
  ],
  ['liechtenstein', 'Vaduz', 'Hotel in Triesen', { tags: [LODGING], inside: 'r1155945' }],
  ['liechtenstein', 'Vaduz', 'Restaurant in Triesenberg', { tags: [FOOD], inside: 'r1155948' }],
  ['liechtenstein', 'Schaan', 'Eine Apotheke in Schaan', { tags: PHARMACY, inside: 'r1155952' }],
  ['liechtenstein', 'Schaan', 'Italienisches Restaurant in Schaan', { tags: ITALIAN, inside: 'r1155952' }],
  ['liechtenstein', 'Balzers', 'Supermarkt in Balzers', { tags: SUPERMARKET, inside: 'r1155953' }],
  [
    'liechtenstein',
    'Ruggell',
    'Chinese restaurant in Ruggell',
    { tags: ['cuisine=chinese,asian'], inside: 'r1155950' },
  ],
  ['liechtenstein', 'Vaduz', 'Vegan food in Vaduz', { tags: ['diet:vegan=yes,only'], inside: 'r1155956' }],
  ['liechtenstein', 'Vaduz', 'Is the Kunstmuseum Liechtenstein open on Monday at 14:00?', 'w28712148'],
  ['liechtenstein', 'Vaduz', 'Is the Postmuseum open now?', 'n9837941651'],
  [
    'liechtenstein',
    'Schaan',
    'Wheelchair accessible restaurant in Schaan',
    { tags: [`${FOOD} & wheelchair=yes,designated`], inside: 'r1155952' },
  ],
  [
    'liechtenstein',
    'Schaan',
    'Café with outdoor seating in Schaan',
    { tags: [`${FOOD} & outdoor_seating=yes`], inside: 'r1155952' },
  ],
  [
    'helsinki',
    'Helsinki',
    'Sushi in Kluuvi',
    { tags: [...SUSHI, 'cuisine=japanese'], near: [60.1708, 24.9473, 900] },
  ],
  ['helsinki', 'Helsinki', 'Hotel in Hakaniemi', { tags: [LODGING], near: [60.1785, 24.9505, 700] }],
  ['helsinki', 'Helsinki', 'Cafés in Kaisaniemi', { tags: CAFE, near: [60.1728, 24.946, 700] }],
  ['helsinki', 'Helsinki', 'A vegan restaurant', { tags: ['diet:vegan=yes,only', 'cuisine=vegan'] }],
  [
    'helsinki',
    'Helsinki',
    'A vegetarian restaurant',
    { tags: ['diet:vegetarian=yes,only', 'diet:vegan=yes,only', 'cuisine=vegetarian,vegan'] },
  ],
  [
    'helsinki',
    'Helsinki',
    'Wheelchair accessible café',
    { tags: CAFE.map((one) => `${one} & wheelchair=yes,designated`) },
  ],
  [
    'helsinki',
    'Helsinki',
    'Which supermarkets are open now?',
    { tags: SUPERMARKET.map((one) => `${one} & open=now`) },
  ],
  ['helsinki', 'Helsinki', 'A pub open tomorrow at 22:00', { tags: BAR }],
  ['helsinki', 'Helsinki', 'Is Ateneum open on Tuesday at 12:00?', 'w8033120'],
  ['helsinki', 'Helsinki', 'Is Kiasma open on Monday at 12:00?', 'w8042215'],
  ['helsinki', 'Helsinki', 'Is Stockmann open now?', 'w122595241'],
  ['helsinki', 'Helsinki', 'Is the bar Stockmann Roof open?', 'n6049453017'],
  ['helsinki', 'Helsinki', 'Museums in Helsinki', { tags: MUSEUM }],
  ['helsinki', 'Helsinki', 'Nepalese restaurant', { tags: ['cuisine=nepalese,indian', 'name~nepal'] }],
  ['helsinki', 'Helsinki', 'Restaurants with free wifi', { tags: [`${FOOD} & internet_access=wlan,yes`] }],
  [
    'tokyo-center',
    'Tokyo',
    '渋谷のラーメン屋',
    {
      tags: ['cuisine=ramen,noodle', 'name~ラーメン|らーめん|らあめん'],
      near: [35.664, 139.699, 2600],
      or: /渋谷/,
    },
  ],
  [
    'tokyo-center',
    'Tokyo',
    'Sushi in Ginza',
    { tags: SUSHI, near: [35.6715, 139.765, 1000], or: /銀座|ginza/i },
  ],
  [
    'tokyo-center',
    'Tokyo',
    'Cafés in Ebisu',
    { tags: CAFE, near: [35.6463, 139.7125, 1500], or: /恵比寿|ebisu/i },
  ],
  [
    'tokyo-center',
    'Tokyo',
    'Hotels in Shinjuku',
    { tags: [LODGING, 'name~hotel|ホテル'], near: [35.69, 139.7, 2200], or: /新宿|shinjuku/i },
  ],
  [
    'tokyo-center',
    'Tokyo',
    'Japanese restaurant in Minato',
    { tags: JAPANESE, near: [35.658, 139.745, 3000], or: /港区|minato/i },
  ],
  [
    'tokyo-center',
    'Tokyo',
    'Museums in Chiyoda',
    { tags: ['tourism=museum,gallery'], near: [35.6895, 139.753, 2500], or: /千代田|chiyoda/i },
  ],
  [
    'tokyo-center',
    'Tokyo',
    'Which convenience stores are open now?',
    { tags: ['shop=convenience & open=now'] },
  ],
  [
    'tokyo-center',
    'Tokyo',
    'Wheelchair accessible café',
    { tags: ['amenity=cafe & wheelchair=yes,designated'] },
  ],
  ['tokyo-center', 'Tokyo', 'A café with wifi', { tags: ['amenity=cafe & internet_access=wlan,yes'] }],
  ['tokyo-center', 'Tokyo', 'Is the Mori Art Museum open now?', 'n1420786660'],
  [
    'tokyo-center',
    'Tokyo',
    'Italian restaurant in Shibuya',
    { tags: ITALIAN, near: [35.664, 139.699, 2600], or: /渋谷|shibuya/i },
  ],
];
