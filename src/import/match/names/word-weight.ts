import { lazy } from '../../../core/memory/lazy.ts';
import { latinWords } from './latin-words.ts';

/** Words that do not distinguish places: articles, prepositions and legal forms. */
const emptyWords = lazy(
  () =>
    new Set(
      latinWords(`
    the a an of at in on by for and with und mit et avec y con e com og och ja ve dan i
    de del della delle dei degli di da do dos das du des d la le les el los las lo il gli l al
    der die das den dem zum zur im am van het een
    llc inc incorporated ltd limited co corp corporation company plc llp lp pllc pc pty pte pvt sdn bhd pt tbk
    gmbh ag kg ohg ug ev mbh gbr bv nv vof oy oyj ab as asa aps
    sa sas sarl sarlu eurl srl srls snc sl slu cv sapi ltda eireli me epp lda sp zoo kft zrt doo dd sro
    ооо оао зао ип 株式会社 有限会社 合同会社 有限公司
  `),
    ),
);

/**
 * Words for a kind of place. Many neighbours share them, so agreement on them proves little. A line contains one kind
 * in several languages; its words count as equal, so that "Ristorante Lido" is "Lido Restaurant".
 */
const kinds = `
  restaurant restaurants restaurante ristorante restoran restauracja ravintola restaurang ресторан εστιατόριο مطعم מסעדה レストラン 食堂 餐厅 餐館 饭店 식당 ร้านอาหาร
  cafe caffe coffee cafeteria cafetaria kafe kahve kaffee кафе καφέ مقهى קפה カフェ 咖啡 咖啡馆 카페 กาแฟ
  pizzeria pizza pizzaria
  taverna tavern ταβέρνα
  trattoria osteria
  grill grille
  brasserie bistro bistrot
  bar бар
  pub
  lanches lanchonete lancheteria
  bakery bakkerij boulangerie panaderia padaria panificio panificadora
  patisserie pasticceria konditorei
  gelateria heladeria sorveteria
  hotel hotell hoteles otel hotels отель гостиница ξενοδοχείο فندق מלון ホテル 酒店 호텔 โรงแรม
  hostel hostal
  guesthouse pension panzio pousada posada
  gasthaus gasthof landgasthof gaststatte wirtshaus
  inn
  motel
  lodge
  resort รีสอร์ท
  villa villas
  apartment apartments apartamentos appartement
  camping campground campsite
  winery weingut bodega
  brewery brewing
  shop store stores tienda loja lojas magasin negozio магазин ร้าน
  market mercado
  supermarket supermercado supermarche
  fashion moda modas
  clothing abbigliamento
  jewelry joyeria gioielleria bijouterie juwelier
  optician optik optika optica ottica optical
  florist floristeria fleuriste blumen
  bookstore libreria librairie buchhandlung
  salon салон
  gym gimnasio ginasio academia palestra fitness
  clinic clinica clinique klinik
  dentist dentistry dental zahnarzt zahnarztpraxis odontologia
  pharmacy farmacia pharmacie apotheke аптека
  veterinary veterinaria
  school escola escuela ecole schule
  museum museo musee
  gallery galerie galeria
  church iglesia igreja chiesa eglise kirche
  temple templo
  bank banco
  garage taller oficina officina
  realty realtors immobilien immobiliare inmobiliaria imobiliaria immobilier
  insurance versicherung versicherungen seguros assurance assurances
  lawyers abogados advogados avvocato
  center centre centro zentrum
  service services servicios servicos
  studio studios
  nail nails
  tour tours
  rental rentals
  group grupo
`;

/** Other common words for kinds, trades and qualities, without translations. */
const commonWords = `
  eatery diner steakhouse churrascaria cerveceria food foods kitchen cuisine cocina lounge club biergarten vinos
  guest house haus casa maison suite suites rooms bed breakfast bnb 旅館 居酒屋 寿司 ラーメン 酒家 店 อาหาร
  boutique outlet mart mall shoes ferreteria papeleria spa beauty hair barber barbershop massage wellness yoga sport sports deportivo
  hospital praxis arztpraxis medical health care physio physiotherapy physiotherapie chiropractic consultorio laboratorio academy
  park beach travel taxi mosque parish station auto autos autohaus automotive car cars motors mecanica autoriparazioni
  estate properties movers mudanzas traslochi law notaria tax accounting photography photographer fotografia design designs
  solutions consulting engineering construction construcciones construtora office plaza
  municipal ayuntamiento prefeitura comune mairie rathaus public international world new old big little grand royal official
`;

const kindByWord = lazy(
  () =>
    new Map(
      kinds
        .trim()
        .split('\n')
        .map((line) => latinWords(line))
        .flatMap((words) => words.map((word) => [word, words[0] ?? word] as const)),
    ),
);
const commons = lazy(() => new Set([...kindByWord().keys(), ...latinWords(commonWords)]));

/** Returns the kind that a word means in any language, or the word itself. */
export function kindOrWord(word: string): string {
  return kindByWord().get(word) ?? word;
}

/** Weight of a common word: agreement on the kind or the town is worth a third of agreement on the actual name. */
export const commonWeight = 0.35;

/** Returns the weight of a word in a name; `local` are the words of the town, the street and the category. */
export function wordWeight(word: string, local: ReadonlySet<string>): number {
  if (emptyWords().has(word)) return 0;
  return commons().has(word) || local.has(word) ? commonWeight : 1;
}
