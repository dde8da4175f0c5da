/** Words that say nothing about which place is meant: articles, prepositions and legal forms. */
const emptyWords = wordSet(`
  the a an of at in on by for and und et y e i og och ja ve dan with mit con com avec
  de del della delle dei degli di da do dos das du des d la le les el los las lo il gli l al der die das den dem zum zur im am van het een
  llc inc incorporated ltd limited co corp corporation company plc llp lp pllc pc gmbh ag kg ohg ug ev mbh gbr
  sa sas sarl sarlu eurl srl srls snc sl slu cv sapi ltda eireli me epp lda bv nv vof oy oyj ab as asa aps sp zoo kft zrt doo dd
  sro jsc ooo oao zao ip pt tbk sdn bhd pte pvt pty kk yk zhu shi hui she gong si
`);

/** Words that name a kind of place. Many neighbours share them, so agreement on them proves little. */
const kindWords = wordSet(`
  restaurant restaurante ristorante restoran restoranas restauracja ravintola restauracia restavracija estiatorio eatery diner trattoria osteria pizzeria pizza grill
  grille steakhouse brasserie bistro bistrot cafe caffe coffee cafeteria kafe kahve kavarna kafeneio kaffee konditorei bakery bakkerij boulangerie panaderia
  bar pub tavern taverna lounge club inn hotel hostel hostal hotell otel hoteles pension panzio pousada posada guesthouse guest house haus casa maison villa villas resort
  motel lodge suites suite rooms apartments apartment apartamentos appartement camping campground campsite bed breakfast bnb
  shop store stores boutique market mercado supermarket supermercado supermarche mart mall outlet center centre centro zentrum plaza
  salon spa beauty hair barber barbershop nails nail studio studios gym fitness yoga massage wellness clinic clinica clinique klinik hospital
  pharmacy farmacia pharmacie apotheke dental dentist dentistry medical health care
  school academy escola escuela ecole schule museum museo musee gallery galerie galeria park beach tours tour travel taxi rental rentals
  services service servicios servicos group grupo office bank banco station garage auto automotive motors
  church international world new old big little grand royal
  official ltda restaurants food foods kitchen cuisine cocina tienda loja lojas magasin negozio salone centar
  ran raan can dian jiu shi tang ten mise hoteru resutoran sikdang hotelu
`);

const distinctive = 1;
const kind = 0.35;
const locality = 0.35;
const empty = 0;

/** How much a word of a name tells. The words of the town and of the category weigh like words of a kind. */
export function wordWeight(word: string, local: ReadonlySet<string>): number {
  if (emptyWords.has(word)) return empty;
  if (kindWords.has(word)) return kind;
  return local.has(word) ? locality : distinctive;
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}
