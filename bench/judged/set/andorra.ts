import type { JudgedSearch, Rule } from './judged-search.ts';

const CAPITAL = 'r2804753';
const ESCALDES = 'r2804756';
const ENCAMP = 'r2804755';
const ORDINO = 'r2804758';
const MASSANA = 'r2804757';
const CANILLO = 'r2804754';
const SOLDEU = [42.577, 1.668, 1500] as const;
const PAS = [42.5435, 1.7335, 1500] as const;
const ARINSAL = [42.572, 1.4844, 1800] as const;

const LODGINGS: Rule = { tags: ['tourism=hotel,hostel,apartment,guest_house,motel,chalet'] };
const HOTELS: Rule = { tags: ['tourism=hotel'] };
const MUSEUMS: Rule = { tags: ['tourism=museum', 'tourism=gallery'] };
const PHARMACIES: Rule = { tags: ['amenity=pharmacy'] };
const PIZZA: Rule = { tags: ['cuisine=pizza,italian_pizza', 'name~pizz'] };
const TOBACCO = 'w202593695';
const TIBETAN = 'n9848769927 n11757478469';

export const ANDORRA: readonly JudgedSearch[] = [
  ['Caldea', '', 'r14119593 w1058470008', 'ca', 'name'],
  ['caldéa spa', '', 'r14119593', 'fr', 'name'],
  ['Museu Carmen Thyssen', '', 'n7091170367', 'ca', 'name'],
  ['thyssen museum andorra', '', 'n7091170367', 'en', 'name'],
  ['museo del tabaco', '', TOBACCO, 'es', 'name in another language'],
  ['烟草博物馆', '', TOBACCO, 'zh', 'name in another language'],
  ['museu del tabc', 'Sant Julià de Lòria', TOBACCO, 'ca', 'typo'],
  ['museo del perfume', '', 'w202606316', 'es', 'name in another language'],
  ['museo postal', '', 'w202638054', 'es', 'name in another language'],
  ['areny plandolit', '', 'w202638053', 'ca', 'part of a name'],
  ['Casa de la Vall', 'Andorra la Vella', 'w512803160', 'ca', 'name'],
  ['pont tibeta', '', TIBETAN, 'ca', 'part of a name'],
  ['pont tibeta canillo', '', 'n9848769927', 'ca', 'name'],
  ['mirador roc del quer', '', 'w908107551', 'ca', 'name'],
  ['roc de quer', 'Canillo', 'w908107551', 'es', 'typo'],
  ['Palau de Gel', '', 'w219556004', 'ca', 'name'],
  ['naturlandia', '', 'w371164435 r7947924', 'ca', 'name'],
  ['natur landia', '', 'w371164435 r7947924', 'ca', 'joined or split'],
  ['hospital meritxell', '', 'w194554955', 'ca', 'part of a name'],
  ['Hospital of Our Lady of Meritxell', '', 'w194554955', 'en', 'name in another language'],
  ['National Bus Station andorra', '', 'w604030704', 'en', 'name in another language'],
  ['gare routiere', 'Andorra la Vella', { tags: ['amenity=bus_station'] }, 'fr', 'kind'],
  ['puente de la margineda', '', 'n8958670617', 'es', 'name in another language'],
  ['st serni canillo', '', 'r7790584', 'ca', 'abbreviation'],
  ['refugi de juclar', '', 'w127125424', 'ca', 'name'],
  ['refuge de comapedrosa', '', 'w371478743', 'fr', 'name in another language'],
  ['Кома-Педроса', '', 'n901125108', 'ru', 'name in another language'],
  ['hard rock cafe andorra', '', 'n5017730521', 'en', 'name'],
  ['husky restaurant', '', 'n6255387272', 'de', 'name in another language'],
  ['hotel piolets soldeu', '', 'w360986389', 'en', 'part of a name'],
  ['hotel pioletes', 'Canillo', 'w360986389 w761820172', 'es', 'typo'],
  ['novotel andorra', '', { tags: ['brand=Novotel'] }, 'fr', 'brand'],
  ['mercure andorra la vella', '', 'r14084345', 'fr', 'brand'],
  ['Pizzeria Angelo avinguda Sant Antoni', '', 'n2966865383', 'ca', 'name and street'],
  ['farmacia edelweis', 'Andorra la Vella', 'n4512004201', 'es', 'typo'],
  ['lizarran meritxell', '', 'n2942339674', 'es', 'name and street'],
  ['burger king pas de la casa', '', 'n690708609', 'es', 'brand'],
  ['mcdo pas de la case', '', 'n690708669', 'fr', 'brand'],
  ['mcdonalds', 'Andorra la Vella', { tags: ["brand=McDonald's"] }, 'en', 'brand'],
  ['starbucks andorra', '', 'n4730051454', 'en', 'brand'],
  ['repsol', '', { tags: ['brand=Repsol', 'name~repsol'] }, 'es', 'brand'],
  ['hotel soldeu', '', { ...LODGINGS, near: SOLDEU }, 'es', 'kind in an area'],
  ['hotels in arinsal', '', { ...LODGINGS, near: ARINSAL }, 'en', 'kind in an area'],
  ['гостиница Канильо', '', { ...LODGINGS, inside: CANILLO }, 'ru', 'kind in an area'],
  [
    'hôtel au pas de la casa',
    '',
    { tags: ['tourism=hotel,hostel,apartment', 'name~hotel'], near: PAS },
    'fr',
    'kind in an area',
  ],
  ['hotel encmap', '', { ...LODGINGS, inside: ENCAMP }, 'es', 'typo'],
  ['アンドラ ホテル', '', HOTELS, 'ja', 'kind'],
  ['restaurant ordino', '', { tags: ['amenity=restaurant'], inside: ORDINO }, 'ca', 'kind in an area'],
  ['museus', 'Ordino', { ...MUSEUMS, inside: ORDINO }, 'ca', 'kind'],
  ['museum in escaldes', '', { ...MUSEUMS, inside: ESCALDES }, 'en', 'kind in an area'],
  ['музей Андорра', '', MUSEUMS, 'ru', 'kind'],
  ['farmàcia', 'Encamp', { ...PHARMACIES, inside: ENCAMP }, 'ca', 'kind'],
  ['pharmacie pas de la casa', '', { ...PHARMACIES, near: PAS }, 'fr', 'kind in an area'],
  ['farmacia andorra la vella', '', { ...PHARMACIES, inside: CAPITAL }, 'es', 'kind in an area'],
  ['supermercat la massana', '', { tags: ['shop=supermarket'], inside: MASSANA }, 'ca', 'kind in an area'],
  ['gasolinera encamp', '', { tags: ['amenity=fuel'], inside: ENCAMP }, 'es', 'kind in an area'],
  ['tankstelle pas de la casa', '', { tags: ['amenity=fuel'], near: PAS }, 'de', 'kind in an area'],
  ['pizza la massana', '', { ...PIZZA, inside: MASSANA }, 'ca', 'kind and cuisine'],
  ['pizzeria', 'Andorra la Vella', PIZZA, 'it', 'kind and cuisine'],
  ['tapas', 'Andorra la Vella', { tags: ['cuisine=tapas', 'name~tapa'] }, 'es', 'kind and cuisine'],
  ['restaurante portugues andorra', '', { tags: ['cuisine=portuguese'] }, 'pt', 'kind and cuisine'],
  ['mexican food andorra', '', { tags: ['cuisine=mexican'] }, 'en', 'kind and cuisine'],
  [
    'donde comer comida japonesa en andorra la vella',
    '',
    { tags: ['cuisine=japanese,sushi', 'name~sushi|udon|japo'] },
    'es',
    'question',
  ],
  ['kebab', 'Andorra la Vella', { tags: ['cuisine=kebab', 'name~kebab'] }, 'ca', 'kind and cuisine'],
  [
    'irish pub andorra',
    '',
    { tags: ['name~irish', "name~^(Mulligan's|The Harp)$", 'name~derby'] },
    'en',
    'kind',
  ],
  ['camping ordino', '', { tags: ['tourism=camp_site'], inside: ORDINO }, 'es', 'kind in an area'],
  [
    'hotel con wifi en la massana',
    '',
    { tags: ['tourism=hotel,hostel & internet_access=wlan,yes'], inside: MASSANA },
    'es',
    'wish',
  ],
  [
    'restaurante con terraza en canillo',
    '',
    { tags: ['amenity=restaurant & outdoor_seating=yes'], inside: CANILLO },
    'es',
    'wish',
  ],
  [
    '24h fuel andorra',
    '',
    { tags: ['amenity=fuel & opening_hours=24/7', 'amenity=fuel & open=now'] },
    'en',
    'wish',
  ],
  ['⛽ encamp', '', { tags: ['amenity=fuel'], inside: ENCAMP }, 'any', 'emoji'],
  ['farmcia encamp', '', { ...PHARMACIES, inside: ENCAMP }, 'es', 'typo'],
  ['museu del perf', 'Escaldes-Engordany', 'w202606316', 'ca', 'begun'],
  ['hotel ordin', '', { ...LODGINGS, inside: ORDINO }, 'ca', 'begun'],
  ['فندق أندورا', '', HOTELS, 'ar', 'kind'],
];
