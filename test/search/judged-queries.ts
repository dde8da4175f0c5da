/**
 * What travellers type, with what a person who knows the town would want to see. `expect` names places of which one
 * must be among the first three; `every` says what all of the first three must be, where any such place will do.
 */
export interface JudgedQuery {
  kind: (typeof KINDS)[number];
  q?: string;
  city?: string;
  country?: string;
  category?: string;
  area?: string;
  expect?: readonly string[];
  every?: { vertical?: string; category?: string; cuisine?: string; city?: string };
}

export const KINDS = [
  'exact name',
  'partial name',
  'typo',
  'other script',
  'other language',
  'category word',
  'cuisine',
  'area word',
  'city by another name',
  'name and place together',
] as const;

const COLUMBUS = 'Columbus Hotel Monte-Carlo, Curio Collection by Hilton';
const CAR_SHOP = 'Boutique de La Collection de voitures anciennes de SAS le Prince de Monaco';
const ICE_CREAM = [
  'Häagen-Dazs',
  'La vita e stracciatella',
  'Santo Gelato',
  'Paradise',
  'Pattaya',
  'La Gelateria',
];

export const JUDGED: readonly JudgedQuery[] = [
  { kind: 'exact name', q: 'Café de Paris', city: 'monaco', expect: ['Café de Paris'] },
  { kind: 'exact name', q: 'Musée Océanographique', expect: ['Musée Océanographique'] },
  { kind: 'exact name', q: 'la rascasse', city: 'monaco', expect: ['La Rascasse'] },
  { kind: 'exact name', q: 'Hotel Kandahar', city: 'andorra', expect: ['Hotel Kandahar'] },
  { kind: 'exact name', q: 'casa de la vall', expect: ['Casa de la Vall'] },
  { kind: 'exact name', q: 'Stars ’n’ Bars', expect: ['Stars ’n’ Bars'] },
  { kind: 'exact name', q: "Stars 'n' Bars", expect: ['Stars ’n’ Bars'] },
  { kind: 'exact name', q: "Pizz'Aria", city: 'monaco', expect: ["Pizz'Aria"] },
  { kind: 'exact name', q: 'Ateneum', city: 'helsinki', expect: ['Ateneum'] },
  { kind: 'exact name', q: 'vanha kauppahalli', expect: ['Vanha Kauppahalli'] },
  { kind: 'exact name', q: '99 Sushi Bar', city: 'monaco', expect: ['99 Sushi Bar'] },
  { kind: 'exact name', q: 'NOBU', city: 'monaco', expect: ['Nobu'] },
  { kind: 'exact name', q: 'P&P', city: 'monaco', expect: ['P&P'] },
  { kind: 'exact name', q: '13,5° Winebar Andorra', expect: ['13,5° Winebar Andorra'] },

  {
    kind: 'partial name',
    q: 'louis xv',
    city: 'monaco',
    expect: ["Le Louis XV - Alain Ducasse à l'Hôtel de Paris"],
  },
  { kind: 'partial name', q: 'alain ducasse', expect: ["Le Louis XV - Alain Ducasse à l'Hôtel de Paris"] },
  { kind: 'partial name', q: 'oceanograph', city: 'monaco', expect: ['Musée Océanographique'] },
  { kind: 'partial name', q: 'kandah', city: 'andorra', expect: ['Hotel Kandahar'] },
  { kind: 'partial name', q: 'ship castle', city: 'monaco', expect: ['Ship and Castle'] },
  { kind: 'partial name', q: 'rutllan', city: 'andorra', expect: ['Hotel Rutllan'] },
  { kind: 'partial name', q: 'grand prix depart', expect: ['Depart Grand Prix de Monaco'] },
  { kind: 'partial name', q: 'tibeta canillo', expect: ['Pont Tibetà de Canillo'] },
  { kind: 'partial name', q: 'jimmyz', city: 'monaco', expect: ['Jimmy’z Monte-Carlo'] },
  { kind: 'partial name', q: 'sokos torni', city: 'helsinki', expect: ['Hotelli Torni'] },
  { kind: 'partial name', q: 'columbus hotel', city: 'monaco', expect: [COLUMBUS] },
  { kind: 'partial name', q: 'boutique de la collection', city: 'monaco', expect: [CAR_SHOP] },

  { kind: 'typo', q: 'musee oceanografique', city: 'monaco', expect: ['Musée Océanographique'] },
  { kind: 'typo', q: 'hermitge', city: 'monaco', expect: ['Hermitage'] },
  { kind: 'typo', q: 'starbuks', city: 'monaco', expect: ['Starbucks'] },
  { kind: 'typo', q: 'rampolid', city: 'monaco', expect: ['Rampoldi'] },
  { kind: 'typo', q: 'buda bar', city: 'monaco', expect: ['Buddha-Bar'] },
  { kind: 'typo', q: 'hotel kandhar', city: 'andorra', expect: ['Hotel Kandahar'] },
  { kind: 'typo', q: 'cipriany', expect: ['Cipriani Monte Carlo'] },
  { kind: 'typo', q: 'atenuem', city: 'helsinki', expect: ['Ateneum'] },
  { kind: 'typo', q: 'stokmann', city: 'helsinki', expect: ['Stockmann'] },
  { kind: 'typo', q: 'mcdonlads', city: 'monaco', expect: ["McDonald's"] },
  { kind: 'typo', q: 'caldeaa torre', city: 'andorra', expect: ['Torre de Caldea'] },
  { kind: 'typo', q: 'nobbu', city: 'monaco', expect: ['Nobu'] },
  { kind: 'typo', q: 'resturant', city: 'monaco', every: { vertical: 'restaurant' } },
  { kind: 'typo', q: 'pharmcy', city: 'andorra', every: { category: 'pharmacy' } },
  { kind: 'typo', q: 'beef bar', city: 'monaco', expect: ['Beefbar'] },
  { kind: 'typo', q: 'star bucks', city: 'andorra', expect: ['Starbucks'] },

  { kind: 'other script', q: 'Океанографический музей', expect: ['Musée Océanographique'] },
  { kind: 'other script', q: '摩納哥海洋博物館', expect: ['Musée Océanographique'] },
  { kind: 'other script', q: '海洋博物館', city: 'monaco', expect: ['Musée Océanographique'] },
  { kind: 'other script', q: 'Στάδιο Λουί', expect: ['Stade Louis-II'] },
  { kind: 'other script', q: 'אצטדיון לואי השני', expect: ['Stade Louis-II'] },
  { kind: 'other script', q: '모나코 대성당', expect: ['Cathédrale Notre-Dame-Immaculée'] },
  { kind: 'other script', q: 'Часовня тишины', expect: ['Kampin kappeli'] },
  { kind: 'other script', q: 'Γρηγόρης', city: 'athens', expect: ['Γρηγόρης'] },
  { kind: 'other script', q: 'grigoris', city: 'athens', expect: ['Γρηγόρης'] },
  { kind: 'other script', q: 'スターバックス', city: 'tokyo', expect: ['スターバックス'] },
  { kind: 'other script', q: '발우공양', city: 'seoul', expect: ['발우공양'] },
  { kind: 'other script', q: 'ماكدونالدز', city: 'dubai', expect: ['ماكدونالدز'] },
  { kind: 'other script', q: 'ครัวตามใจ', city: 'bangkok', expect: ['ร้านครัวตามใจ'] },
  { kind: 'other script', q: 'סביח', city: 'tel-aviv', expect: ['סביח פרישמן'] },
  { kind: 'other script', q: '蓮花素食', city: 'taipei', expect: ['蓮花素食'] },
  { kind: 'other script', q: 'lian hua su shi', city: 'taipei', expect: ['蓮花素食'] },
  { kind: 'other script', q: 'grod', city: 'copenhagen', expect: ['GRØD'] },
  { kind: 'other script', q: 'gerikapart', city: 'andorra', expect: ['Герикапарт'] },

  { kind: 'other language', q: 'oceanographic museum', city: 'monaco', expect: ['Musée Océanographique'] },
  { kind: 'other language', q: "prince's palace", city: 'monaco', expect: ['Palais princier de Monaco'] },
  { kind: 'other language', q: 'Japanischer Garten', expect: ['Jardin Japonais'] },
  { kind: 'other language', q: 'old market hall', city: 'helsinki', expect: ['Vanha Kauppahalli'] },
  { kind: 'other language', q: 'three smiths', expect: ['Kolme seppää'] },
  {
    kind: 'other language',
    q: 'central library',
    city: 'helsinki',
    expect: ['Helsingin keskustakirjasto Oodi'],
  },
  { kind: 'other language', q: 'museo del tabaco', expect: ['Museu del Tabac'] },

  { kind: 'category word', q: 'pharmacy', city: 'monaco', every: { category: 'pharmacy' } },
  { kind: 'category word', q: 'pharmacies', city: 'helsinki', every: { category: 'pharmacy' } },
  { kind: 'category word', q: 'museum', city: 'monaco', every: { category: 'museum' } },
  { kind: 'category word', q: 'hotels', city: 'andorra', every: { vertical: 'hotel' } },
  { kind: 'category word', q: 'irish pub', city: 'andorra', expect: ['The Derby Irish Pub'] },
  { kind: 'category word', q: 'coffee shop', city: 'helsinki', every: { vertical: 'cafe' } },
  { kind: 'category word', q: 'nightclub', city: 'monaco', every: { vertical: 'nightclub' } },
  { kind: 'category word', q: 'supermarket', city: 'monaco', every: { category: 'supermarket' } },
  { kind: 'category word', q: 'beach', city: 'monaco', expect: ['Plage Larvotto', 'Plage du Solarium'] },
  { kind: 'category word', q: 'car rental', city: 'monaco', every: { category: 'car_rental' } },
  { kind: 'category word', q: 'ice cream', city: 'monaco', expect: ICE_CREAM },
  { kind: 'category word', q: 'cinema', city: 'monaco', every: { category: 'cinema' } },
  { kind: 'category word', q: 'dentist', city: 'helsinki', expect: ['Postitalon Hammaslääkärit'] },
  { kind: 'category word', q: 'bike rental', city: 'monaco', every: { category: 'bicycle_rental' } },
  { kind: 'category word', category: 'hairdresser', city: 'helsinki', every: { vertical: 'salon' } },
  { kind: 'category word', category: 'hostel', city: 'andorra', every: { vertical: 'hostel' } },

  { kind: 'cuisine', q: 'sushi', city: 'monaco', expect: ['99 Sushi Bar', 'My Sushi', 'Nobu'] },
  { kind: 'cuisine', q: 'pizza', city: 'monaco', every: { cuisine: 'pizza' } },
  { kind: 'cuisine', q: 'pizzeria', city: 'helsinki', every: { vertical: 'restaurant' } },
  { kind: 'cuisine', q: 'lebanese', city: 'monaco', expect: ['Em Sherif Monte-Carlo'] },
  { kind: 'cuisine', q: 'mexican food', city: 'monaco', expect: ['Sexy Tacos'] },
  { kind: 'cuisine', q: 'japanese restaurant', city: 'monaco', every: { cuisine: 'japanese' } },
  { kind: 'cuisine', q: 'steakhouse', city: 'monaco', expect: ['Beefbar'] },
  { kind: 'cuisine', q: 'burgers', city: 'andorra', every: { cuisine: 'burger' } },
  { kind: 'cuisine', q: 'italian', city: 'andorra', every: { cuisine: 'italian' } },
  { kind: 'cuisine', q: 'vietnamese', city: 'berlin', every: { cuisine: 'vietnamese' } },
  { kind: 'cuisine', q: 'belgian', city: 'monaco', expect: ['Smakelijk!'] },

  { kind: 'area word', q: 'hotel soldeu', every: { vertical: 'hotel' } },
  { kind: 'area word', q: 'bar', area: 'Arinsal', city: 'andorra', expect: ['El Cabin'] },
  { kind: 'area word', q: 'soldeu bar', city: 'andorra', expect: ['Barcode'] },
  { kind: 'area word', category: 'hotel', area: 'ordino', city: 'andorra', every: { city: 'Ordino' } },
  { kind: 'area word', q: 'burger pas de la casa', expect: ['Burger King', "McDonald's"] },
  { kind: 'area word', q: 'stadium fontvieille', expect: ['Stade Louis-II'] },
  { kind: 'area word', q: 'hotel escaldes', city: 'andorra', every: { city: 'Escaldes-Engordany' } },

  { kind: 'city by another name', q: 'nobu', city: 'Monte-Carlo', expect: ['Nobu'] },
  { kind: 'city by another name', q: 'ateneum', city: 'Helsingfors', expect: ['Ateneum'] },
  { kind: 'city by another name', q: 'casa de la vall', city: 'Andorre', expect: ['Casa de la Vall'] },
  { kind: 'city by another name', q: 'taklamakan', city: 'münchen', expect: ['Taklamakan Restaurant'] },
  { kind: 'city by another name', q: 'γρηγόρης', city: 'Αθήνα', expect: ['Γρηγόρης'] },
  { kind: 'city by another name', q: '蓮花素食', city: '台北', expect: ['蓮花素食'] },
  { kind: 'city by another name', category: 'indian', city: 'wien', every: { cuisine: 'indian' } },

  { kind: 'name and place together', q: 'nobu monaco', expect: ['Nobu'] },
  { kind: 'name and place together', q: 'hermitage monte carlo', expect: ['Hermitage'] },
  { kind: 'name and place together', q: 'starbucks andorra', expect: ['Starbucks'] },
  { kind: 'name and place together', q: 'sushi in monaco', expect: ['99 Sushi Bar', 'My Sushi', 'Nobu'] },
  { kind: 'name and place together', q: 'museum helsinki', every: { category: 'museum', city: 'Helsinki' } },
  {
    kind: 'name and place together',
    q: 'restaurant in soldeu',
    every: { vertical: 'restaurant', city: 'Soldeu' },
  },
];
