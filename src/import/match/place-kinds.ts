import { latinWords } from './names/latin-words.ts';

/**
 * Kinds of places that are never the same place, by words in category codes. A category without a listed word has no
 * kind, and nothing follows from it.
 */
const kindByWord = new Map(
  Object.entries({
    food: 'restaurant restaurants cafe coffee bar pub bakery pizzeria pizza bistro diner dining food fast eat burger sandwich tea dessert desserts ice brewery winery steakhouse joint spot breakfast tapas lounge beer nightlife nightclub caterer snack juice noodle sushi barbecue deli delicatessen',
    lodging:
      'hotel hotels hostel motel resort lodging accommodation inn guesthouse guest bed campground campsite camping rv holiday vacation cabin chalet apartments',
    health:
      'hospital doctor dentist dental medical health clinic physician surgeon surgery therapy therapist chiropractor optometrist orthopedist neurologist cardiologist pediatrician psychologist veterinarian nursing rehabilitation diagnostic radiologist dermatologist gynecologist urgent emergency physical counseling',
    pharmacy: 'pharmacy drugstore apothecary',
    beauty: 'salon beauty hair barber nail nails spa spas massage skin tattoo cosmetic tanning waxing',
    sport: 'gym fitness yoga pilates sports sport swimming tennis golf martial dance stadium pool athletic',
    money: 'bank banks credit financial mortgage lender insurance investing accountant tax loans currency',
    atm: 'atm atms',
    fuel: 'gas fuel petrol charging',
    vehicle: 'automotive auto car tire motorcycle truck dealer dealership vehicle',
    transit: 'bus train metro subway tram platform airport ferry transport transportation transit taxi',
    school: 'school college university education preschool kindergarten academy campus library tutoring',
    worship: 'church mosque temple synagogue worship religious spiritual cathedral',
    culture:
      'museum gallery theatre theater cinema arts attraction monument landmark historical zoo aquarium',
    green: 'park garden beach lake trail playground forest mountain',
    state: 'government town city police fire court public post embassy civic',
    goods:
      'shop store shopping supermarket grocery market mall boutique retail convenience clothing jewelry furniture hardware electronics florist bookstore',
    craft:
      'contractor plumbing roofing hvac electrician builder construction landscaping cleaning locksmith movers',
    estate: 'estate property realtor apartment condo housing',
  }).flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind] as const)),
);

/** True when both categories have a kind, and no kind in common. */
export function kindsClash(a: string, b: string): boolean {
  const kindsA = kindsOf(a);
  const kindsB = kindsOf(b);
  return kindsA.size > 0 && kindsB.size > 0 && kindsA.isDisjointFrom(kindsB);
}

function kindsOf(category: string): Set<string> {
  return new Set(latinWords(category).flatMap((word) => kindByWord.get(word) ?? []));
}
