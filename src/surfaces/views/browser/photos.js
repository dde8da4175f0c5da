/** @import { Licence, Photo, Prices, Quote, ViewRenderer } from './shapes.ts' */
import { button, el, fact } from './elements.js';
import {
  ask,
  attributionOf,
  canCallTools,
  informModel,
  newKey,
  picture,
  problem,
  render,
  setup,
  wayTo,
  wording,
} from './frame.js';

/** @typedef {{ photo_id: string, use: string, quote?: Quote, licence?: Licence, key?: string, trouble?: Node }} Deal */

/** @type {Map<string, Deal>} Purchases in progress, by photo. */
const deals = new Map();

/** @type {ViewRenderer} */
export const photosView = (answer, input) => {
  const { words } = wording;
  const photos = /** @type {Photo[] | undefined} */ (answer['photos']);
  if (photos === undefined) return [single(answer), attributionOf(answer)];
  if (photos.length === 0) return [el('p', {}, words.noPhotos), attributionOf(answer)];
  return [
    el('header', {}, el('h1', {}, words.photos(photos.length))),
    el('ol', { class: 'photos' }, ...photos.map((photo) => el('li', {}, ...cardOf(photo, input['use'])))),
    attributionOf(answer),
  ];
};

/** Shows a single quote or licence: only the id of the photo is known. @param {Record<string, unknown>} answer */
function single(answer) {
  const offer = /** @type {Quote & Licence} */ (/** @type {unknown} */ (answer));
  const deal = dealOf(offer.photo_id, offer.use);
  if ('license_id' in offer) deal.licence ??= offer;
  else deal.quote ??= offer;
  return el('article', { class: 'photo' }, preview(offer.photo_id, ''), el('div', {}, ...dealPart(deal)));
}

/** @param {Photo} photo @param {unknown} preferred @returns {(Node | null)[]} */
function cardOf(photo, preferred) {
  const { words } = wording;
  const offered = Object.keys(photo.prices).filter((use) => photo.prices[use] !== null);
  const use = offered.find((one) => one === preferred) ?? cheapest(photo.prices);
  const deal = dealOf(photo.photo_id, use);
  return [
    preview(photo.photo_id, photo.caption, photo.preview_url),
    el(
      'div',
      {},
      el('h2', {}, photo.place.name),
      photo.caption ? el('p', {}, photo.caption) : null,
      el(
        'p',
        { class: 'quiet' },
        `${photo.city} · ${wording.month(photo.month)} · ${photo.width} × ${photo.height}`,
      ),
      el('p', { class: 'quiet' }, photo.attribution),
      ...(deal.quote === undefined && deal.licence === undefined
        ? [
            el(
              'div',
              { class: 'uses', role: 'radiogroup' },
              ...offered.map((one) => useOf(deal, one, photo.prices[one] ?? 0)),
            ),
            el(
              'p',
              { class: 'quiet' },
              `${words.left(photo.drop.left)} · ${words.until(wording.moment(photo.drop.ends_at))}`,
            ),
          ]
        : []),
      ...dealPart(deal, photo.prices[deal.use] ?? undefined),
    ),
  ];
}

/** @param {string} id @param {string} alt @param {string} [url] */
function preview(id, alt, url = `${setup.origin}/photos/${encodeURIComponent(id)}/w480`) {
  return el('figure', {}, picture(url, alt));
}

/** @param {Deal} deal @param {string} use @param {number} cents */
function useOf(deal, use, cents) {
  const input = el('input', { type: 'radio', name: `use-${deal.photo_id}`, value: use });
  input.checked = deal.use === use;
  input.addEventListener('change', () => {
    deal.use = use;
    delete deal.key;
    render();
  });
  return el(
    'label',
    {},
    input,
    el('span', {}, wording.words.uses[use] ?? use),
    el('strong', {}, wording.money(cents)),
  );
}

/**
 * Shows the next step: the price, the confirmation, or the licence.
 * @param {Deal} deal @param {number} [cents] @returns {(Node | null)[]}
 */
function dealPart(deal, cents) {
  const { words } = wording;
  if (deal.licence !== undefined) return licenceOf(deal.licence);
  if (deal.quote !== undefined) return questionOf(deal, deal.quote);
  if (!canCallTools() || setup.tools['quote_photo'] === undefined || cents === undefined) return [];
  return [
    deal.trouble ?? null,
    el(
      'p',
      { class: 'actions' },
      button(words.license(wording.money(cents)), () => quote(deal), 'main'),
    ),
  ];
}

/**
 * Asks for confirmation: nothing is charged before a second tap on the displayed price.
 * @param {Deal} deal @param {Quote} quote @returns {(Node | null)[]}
 */
function questionOf(deal, { price_cents: cents, price_after_next_cents: next, drop, terms }) {
  const { words } = wording;
  const leave = () => {
    delete deal.quote;
    render();
  };
  return [
    el(
      'section',
      { class: 'question' },
      el(
        'p',
        {},
        el('strong', {}, words.uses[deal.use] ?? deal.use),
        ' · ',
        el('strong', {}, wording.money(cents)),
      ),
      el('p', { lang: 'en' }, terms.scope),
      el('p', { class: 'quiet' }, `${words.left(drop.left)} · ${words.nextPrice(wording.money(next))}`),
      deal.trouble ?? null,
      ...(canCallTools() && setup.tools['license_photo'] !== undefined
        ? [
            el('p', {}, words.charge(wording.money(cents))),
            el(
              'p',
              { class: 'actions' },
              button(words.yesLicense, () => license(deal, cents), 'main'),
              button(words.back, leave),
            ),
          ]
        : []),
    ),
  ];
}

/** @param {Licence} licence @returns {(Node | null)[]} */
function licenceOf(licence) {
  const { words } = wording;
  return [
    el(
      'p',
      { class: 'status good', role: 'status' },
      el('strong', {}, words.licensed),
      el('span', {}, `${words.uses[licence.use] ?? licence.use} · ${wording.money(licence.price_cents)}`),
      licence.test ? el('span', {}, words.testCredit) : null,
    ),
    el('dl', {}, fact(words.showBeside, licence.attribution_line)),
    el(
      'p',
      { class: 'actions' },
      licence.download === null ? null : wayTo(words.download, licence.download.url, 'main'),
      wayTo(words.certificate, licence.certificate_url),
    ),
  ];
}

/** @param {Deal} deal */
async function quote(deal) {
  delete deal.trouble;
  try {
    const response = await ask('quote_photo', { photo_id: deal.photo_id, use: deal.use });
    deal.quote = /** @type {Quote} */ (/** @type {unknown} */ (response));
  } catch (error) {
    deal.trouble = problem(error);
  }
  render();
}

/** @param {Deal} deal @param {number} cents */
async function license(deal, cents) {
  delete deal.trouble;
  deal.key ??= newKey();
  try {
    const args = {
      photo_id: deal.photo_id,
      use: deal.use,
      max_price_cents: cents,
      idempotency_key: deal.key,
    };
    const response = await ask('license_photo', args);
    deal.licence = /** @type {Licence} */ (/** @type {unknown} */ (response));
    await informModel(
      `The person licensed ${deal.photo_id} for ${deal.use} in the view: ${deal.licence.license_id}.`,
    );
  } catch (error) {
    deal.trouble = problem(error);
  }
  render();
}

/** @param {string} photoId @param {string} use */
function dealOf(photoId, use) {
  const existing = deals.get(photoId);
  if (existing !== undefined) return existing;
  /** @type {Deal} */
  const deal = { photo_id: photoId, use };
  deals.set(photoId, deal);
  return deal;
}

/** @param {Prices} prices */
function cheapest(prices) {
  const offered = Object.entries(prices).filter(([, cents]) => cents !== null);
  return offered.toSorted(([, a], [, b]) => (a ?? 0) - (b ?? 0))[0]?.[0] ?? '';
}
