/** @import { Booking, Offer } from './shapes.ts' */
import { button, el, fact, field, formOf, present } from './elements.js';
import {
  ask,
  attributionOf,
  canCallTools,
  ending,
  informModel,
  newKey,
  problem,
  wayTo,
  wording,
} from './frame.js';

const KINDS = new Map([
  ['confirmed', 'good'],
  ['offered', 'warn'],
  ['declined', 'bad'],
  ['no_answer', 'bad'],
]);
const WAITING = new Set(['sent', 'asking']);
const OPEN = new Set(['sent', 'asking', 'offered', 'confirmed']);
/** While a venue's answer is pending, the view polls the status, at most POLLS_MAX times. */
const POLL_MS = 30_000;
const POLLS_MAX = 40;

/** One table with all its actions. */
export class BookingPanel {
  element = el('article', { class: 'table-panel' });
  /** @type {Booking} */
  #booking;
  /** @type {'' | 'change' | 'cancel'} */
  #doing = '';
  /** @type {Node | null} */
  #trouble = null;
  #polls = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Booking} booking */
  constructor(booking) {
    this.#booking = booking;
    ending.signal.addEventListener('abort', () => {
      clearTimeout(this.#timer);
    });
    this.render();
  }

  render() {
    const { words } = wording;
    const booking = this.#booking;
    const { status, place } = booking;
    this.element.dataset['status'] = status;
    this.element.replaceChildren(
      ...present([
        el(
          'header',
          {},
          el('h1', {}, place.name ?? words.table),
          place.address ? el('p', { class: 'quiet' }, place.address) : null,
        ),
        statusBanner(booking.waiting ? 'waiting' : status),
        el(
          'p',
          { class: 'table-time' },
          el('strong', {}, wording.tableTime(booking)),
          ` · ${words.people(booking.party_size)}`,
        ),
        ...this.#facts(),
        this.#offers(),
        booking.link === null ? null : this.#payThere(booking.link.url),
        this.#trouble,
        this.#doing === 'change'
          ? this.#changeForm()
          : this.#doing === 'cancel'
            ? this.#cancelQuestion()
            : this.#buttons(),
        this.#history(),
        attributionOf(booking),
      ]),
    );
    this.#pollLater();
  }

  /** @returns {(Node | null)[]} */
  #facts() {
    const { words } = wording;
    const { for: guest, notes, confirmation, answer_by: by, held, place, status, waiting } = this.#booking;
    return [
      el(
        'dl',
        {},
        fact(words.name, guest.name),
        notes ? fact(words.note, notes) : null,
        confirmation?.ref ? fact(words.reference, el('span', { class: 'number' }, confirmation.ref)) : null,
      ),
      held === null ? null : el('p', {}, words.held(wording.table(held))),
      waiting ? el('p', {}, words.waitsUntil(wording.moment(waiting.until, place.timezone))) : null,
      by !== null && WAITING.has(status) && !waiting
        ? el('p', {}, words.answerBy(wording.moment(by, place.timezone)))
        : null,
      el('p', { class: 'quiet' }, words.localTime(place.timezone)),
    ];
  }

  #offers() {
    const { words } = wording;
    const { offers } = this.#booking;
    if (offers.length === 0) return null;
    const rows = offers.map((offer) =>
      el(
        'li',
        {},
        el('p', {}, el('strong', {}, wording.table(offer))),
        offer.note ? el('p', {}, offer.note) : null,
        el(
          'p',
          { class: 'quiet' },
          words.until(wording.moment(offer.expires_at, this.#booking.place.timezone)),
        ),
        button(words.take, () => this.#take(offer), 'main'),
      ),
    );
    return el('section', { class: 'offers' }, el('h2', {}, words.offers), el('ul', {}, ...rows));
  }

  /** @param {string} url */
  #payThere(url) {
    return el(
      'section',
      {},
      el('p', {}, wording.words.payThere),
      wayTo(wording.words.bookingPage, url, 'main'),
    );
  }

  #buttons() {
    const { words } = wording;
    const { status } = this.#booking;
    if (!canCallTools()) return null;
    const begin = (/** @type {'change' | 'cancel'} */ what) => () => {
      this.#doing = what;
      this.#trouble = null;
      this.render();
    };
    return el(
      'p',
      { class: 'actions' },
      status === 'offered' || status === 'confirmed' ? button(words.change, begin('change')) : null,
      OPEN.has(status) ? button(words.cancel, begin('cancel'), 'danger') : null,
      WAITING.has(status) || status === 'offered' ? button(words.checkAgain, () => this.refresh()) : null,
    );
  }

  #changeForm() {
    const { words } = wording;
    const { date, time, party_size: people } = this.#booking;
    const fields = {
      date: field(words.date, { name: 'date', type: 'date', required: '', value: date }),
      time: field(words.time, { name: 'time', type: 'time', required: '', value: time }),
      people: field(words.guests, {
        name: 'party_size',
        type: 'number',
        min: '1',
        max: '30',
        required: '',
        value: String(people),
      }),
    };
    const send = () => {
      const changed = {
        ...(fields.date.input.value === date ? {} : { date: fields.date.input.value }),
        ...(fields.time.input.value === time ? {} : { time: fields.time.input.value }),
        ...(fields.people.input.valueAsNumber === people
          ? {}
          : { party_size: fields.people.input.valueAsNumber }),
      };
      return this.#change('modify_booking', { ...changed, idempotency_key: newKey() });
    };
    return formOf(
      Object.values(fields),
      { label: words.askVenue, send },
      [el('p', { class: 'quiet' }, words.notBooked)],
      [this.#leave(words.back)],
    );
  }

  #cancelQuestion() {
    const { words } = wording;
    return el(
      'section',
      { class: 'question', role: 'alertdialog', 'aria-label': words.cancelSure },
      el('p', {}, words.cancelSure),
      el(
        'p',
        { class: 'actions' },
        button(words.cancelNow, () => this.#change('cancel_booking', {}), 'danger'),
        this.#leave(words.keep),
      ),
    );
  }

  /** @param {string} label */
  #leave(label) {
    return button(label, () => {
      this.#doing = '';
      this.render();
    });
  }

  #history() {
    const { words } = wording;
    const { timeline, place } = this.#booking;
    const rows = timeline.map(({ at, event, text }) =>
      el(
        'li',
        {},
        el('time', { datetime: at }, wording.moment(at, place.timezone)),
        words.language === 'en' ? text : (words.events[event] ?? el('span', { lang: 'en' }, text)),
      ),
    );
    return el('section', {}, el('h2', {}, words.history), el('ol', { class: 'timeline' }, ...rows));
  }

  /** @param {Offer} offer */
  #take(offer) {
    return this.#change('modify_booking', {
      accept_offer: offer.offer_id,
      idempotency_key: `take-${offer.offer_id}`,
    });
  }

  /**
   * Changes the table as the person last saw it: a change made meanwhile is shown first.
   * @param {string} operation
   * @param {Record<string, unknown>} args
   */
  async #change(operation, args) {
    const { booking_id: id, revision } = this.#booking;
    try {
      const updated = await ask(operation, { booking_id: id, if_revision: revision, ...args });
      this.#applyUpdate(updated);
      const { status, booked } = this.#booking;
      await informModel(
        `The person used ${operation} in the view. ${id} is now ${status}; booked: ${booked}.`,
      );
    } catch (error) {
      this.#trouble = problem(error);
      this.#doing = '';
      this.render();
    }
  }

  async refresh() {
    try {
      const { bookings } = /** @type {{ bookings: Record<string, unknown>[] }} */ (
        await ask('booking_status', { booking_id: this.#booking.booking_id })
      );
      if (bookings[0] !== undefined) this.#applyUpdate(bookings[0]);
    } catch (error) {
      this.#trouble = problem(error);
      this.render();
    }
  }

  /** @param {Record<string, unknown>} update */
  #applyUpdate(update) {
    this.#booking = { ...this.#booking, .../** @type {Partial<Booking>} */ (update) };
    this.#trouble = null;
    this.#doing = '';
    this.render();
  }

  #pollLater() {
    clearTimeout(this.#timer);
    if (
      ending.signal.aborted ||
      !canCallTools() ||
      !WAITING.has(this.#booking.status) ||
      this.#polls >= POLLS_MAX
    )
      return;
    this.#timer = setTimeout(() => {
      this.#polls++;
      // Does not disturb a person who is typing.
      if (document.hidden || this.#doing !== '') this.#pollLater();
      else void this.refresh();
    }, POLL_MS);
  }
}

/** Shows the status of a table, as a word and as an explanation. @param {string} status */
export function statusBanner(status) {
  const { words } = wording;
  return el(
    'p',
    { class: `status ${KINDS.get(status) ?? ''}`, role: 'status' },
    el('strong', {}, words.statuses[status] ?? status),
    el('span', {}, words.meanings[status] ?? words.notBooked),
  );
}
