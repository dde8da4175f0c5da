import type { Host, Property, Seen, Tool } from '../host.ts';
import type { Habits, Outcome, Said, Step, Task } from '../task.ts';
import { rankTools } from './choose-tool.ts';
import { conceptOf } from './concepts.ts';
import { countryCode } from './countries.ts';
import { blamedIn, boundIn, callKey, isCareless, isLost } from './doubts.ts';
import { fill, type Filled } from './fill.ts';
import { hasRemedy, isEmpty, isIdOf, itemsOf, tells, valueOf, WORDS_FOR, type Item } from './read-result.ts';
import { mentions, nearest, wordsOf } from './words.ts';

const CALLS_MAX = 16;
/** How often somebody looks for an id with other tools before giving up. */
const ELSEWHERE_MAX = 2;

interface Attempt {
  step: Step;
  tool: Tool;
  filled: Filled;
  habits: Habits;
  without: Set<string>;
  asKind: boolean;
}

/**
 * Does a task without a model: it chooses tools by the words of their descriptions, fills parameters by their names,
 * and reads ids, links and reasons out of what it has seen. It knows neither the service nor the expected answer.
 */
export class Planner {
  readonly #host: Host;
  readonly #task: Task;
  readonly #results: Seen[] = [];
  readonly #refused = new Set<string>();
  readonly #asked = new Set<string>();
  #said: Said;
  /** How carelessly arguments are filled, until that went wrong once. */
  #habits: Habits;
  #deadEnds = 0;

  constructor(host: Host, task: Task) {
    this.#host = host;
    this.#task = task;
    this.#said = task.said;
    this.#habits = task.habits ?? {};
  }

  get deadEnds(): number {
    return this.#deadEnds;
  }

  async run(): Promise<Outcome> {
    let answer = '';
    for (const step of this.#task.steps) {
      const known = this.#alreadyTold(step);
      if (known !== undefined) {
        answer = known;
        continue;
      }
      const done = await this.#do(step);
      answer = this.#lastView();
      if (!done) break;
    }
    return { answer, seen: this.#results.map(({ view }) => view).join('\n') };
  }

  /** Finds the wanted value in an earlier result, so that no second call is made. */
  #alreadyTold({ do: toDo, find = [] }: Step): string | undefined {
    const [tool] = rankTools(this.#host.tools, toDo);
    const askable = find.length > 0 && find.every((wanted) => wanted === 'phone' || wanted === 'rating');
    if (!askable || tool?.annotations?.readOnlyHint !== true) return undefined;
    const noun = (tool.inputSchema.required ?? []).find((name) => name.endsWith('_id'));
    const item = noun === undefined ? undefined : this.#itemFor(noun.replace(/_id$/, ''));
    return item !== undefined && find.every((wanted) => tells(item.about, wanted)) ? item.about : undefined;
  }

  async #do(step: Step): Promise<boolean> {
    const tried = new Set<string>();
    let without = new Set<string>();
    let asKind = false;
    let [tool] = rankTools(this.#host.tools, step.do);
    while (tool !== undefined && this.#host.counts.calls < CALLS_MAX) {
      const filled = this.#fill(step, tool, this.#habits, without, asKind);
      // Only ids are required here: for other missing values the service's own error is used.
      const missing = filled.missing.find((name) => name.endsWith('_id'));
      if (missing !== undefined) {
        if (!(await this.#lookElsewhere(missing, tool, step))) return false;
        continue;
      }
      const seen = await this.#call(tool, filled.given);
      tried.add(tool.name);
      const attempt: Attempt = { step, tool, filled, habits: this.#habits, without, asKind };
      const change = seen.error ? this.#mend(seen, attempt) : this.#doubt(seen, attempt);
      if (change === 'again') continue;
      if (change === 'by the schema') this.#habits = {};
      else if (change === 'as a kind') asKind = true;
      else if (change !== undefined) without = change;
      else if (!seen.error && (step.find ?? []).every((wanted) => tells(this.#lastView(), wanted)))
        return true;
      else {
        tool = this.#another(seen, step, tried);
        if (tool === undefined) return !seen.error;
        without = new Set();
      }
    }
    return false;
  }

  #fill(step: Step, tool: Tool, habits: Habits, without: Set<string>, asKind: boolean): Filled {
    const nextPage = /next page/.test(step.do);
    const cursor = nextPage ? this.#lastValue('cursor') : undefined;
    let said = this.#said;
    // Where nothing tells how a list goes on, a longer one has the rest.
    if (nextPage && cursor === undefined && typeof said['limit'] === 'number')
      said = { ...said, limit: said['limit'] * 2 };
    const idFor = (name: string, property: Property, required: boolean) =>
      this.#idFor(step, name, property, required);
    return fill({ tool, step, said, habits, without, asKind, idFor, cursor });
  }

  async #call(tool: Tool, given: Record<string, unknown>): Promise<Seen> {
    this.#asked.add(callKey(tool, given));
    const seen = await this.#host.call(tool, given);
    this.#results.push(seen);
    return seen;
  }

  #lastView(): string {
    return this.#results.at(-1)?.view ?? '';
  }

  #lastValue(name: string): string | undefined {
    for (const seen of this.#results.toReversed()) {
      const value = valueOf(seen, name);
      if (value !== undefined && value !== 'null') return value;
    }
    return undefined;
  }

  /** An id out of earlier results. One that need not be given is given only where the step speaks of it. */
  #idFor(step: Step, parameter: string, property: Property, required: boolean): string | undefined {
    // The last word is the thing: accept_offer takes an offer.
    const noun = parameter.replace(/_id$/, '').split('_').at(-1) ?? '';
    const item = this.#itemFor(noun);
    if (item === undefined || required) return item?.id;
    const about = new Set(wordsOf(`${noun.replaceAll('_', ' ')} ${property.description ?? ''}`));
    const spoken = wordsOf(step.do).some((word) => about.has(word));
    return spoken && this.#isNamed(item) ? item.id : undefined;
  }

  #isNamed({ about }: Item): boolean {
    const name = this.#said['name'];
    return typeof name === 'string' && mentions(about, name);
  }

  /** The thing of this kind that fits best what was said, of the newest result that tells of any. */
  #itemFor(noun: string): Item | undefined {
    const name = this.#said['name'];
    const coming = new Set(wordsOf(this.#task.steps.at(-1)?.do ?? ''));
    for (const seen of this.#results.toReversed()) {
      if (seen.error) continue;
      const items = itemsOf(seen, noun).filter(({ id }) => !this.#refused.has(id) && isIdOf(noun, id));
      const named = typeof name === 'string' ? items.filter((item) => this.#isNamed(item)) : items;
      const fit = ({ about }: Item) => wordsOf(about).filter((word) => coming.has(word)).length;
      const best = named.toSorted((a, b) => Math.min(1, fit(b)) - Math.min(1, fit(a)))[0];
      if (best !== undefined) return best;
    }
    return undefined;
  }

  /** Looks for an id that no result showed: with tools that need nothing but what is known, and then by the name. */
  async #lookElsewhere(parameter: string, wanting: Tool, step: Step): Promise<boolean> {
    this.#deadEnds++;
    const noun = parameter.replace(/_id$/, '');
    const others = rankTools(this.#host.tools, noun).filter(
      ({ name, annotations }) => name !== wanting.name && annotations?.readOnlyHint !== false,
    );
    let looked = 0;
    for (const other of others) {
      if (looked === ELSEWHERE_MAX || this.#host.counts.calls >= CALLS_MAX) break;
      const filled = this.#fill({ do: step.do }, other, {}, new Set(), false);
      if (filled.missing.length > 0) continue;
      if (this.#asked.has(callKey(other, filled.given))) continue;
      looked++;
      await this.#call(other, filled.given);
      if (this.#itemFor(noun) !== undefined) return true;
    }
    const name = this.#said['name'];
    if (typeof name === 'string' && this.#host.counts.calls < CALLS_MAX) {
      const filled = this.#fill(step, wanting, {}, new Set(), false);
      await this.#call(wanting, { ...filled.given, [parameter]: name });
    }
    return false;
  }

  /** Chooses a change after an error: the one that the error names, or else any possible one. */
  #mend(
    seen: Seen,
    { step: { find = [] }, tool, filled, habits, without }: Attempt,
  ): 'again' | 'by the schema' | Set<string> | undefined {
    const names = Object.keys(tool.inputSchema.properties ?? {});
    const told = find.length > 0 && find.every((wanted) => tells(seen.view, wanted));
    if (!told && !hasRemedy(seen.view, [...names, ...this.#host.tools.map(({ name }) => name)]))
      this.#deadEnds++;
    const blamed = blamedIn(seen.view, names).filter((name) => name in filled.given);
    if (Object.keys(habits).length > 0 && isCareless(blamed, filled.given)) return 'by the schema';
    if (this.#correct(seen)) return 'again';
    const next = Object.entries(this.#said).find(
      ([concept, value]) =>
        typeof value === 'object' && value.length > 1 && names.some((name) => conceptOf(name) === concept),
    );
    if (next !== undefined) {
      this.#said = { ...this.#said, [next[0]]: (next[1] as readonly string[]).slice(1) };
      return 'again';
    }
    const required = new Set(tool.inputSchema.required ?? []);
    for (const name of blamed) {
      const bound = boundIn(seen.view, filled.given[name]);
      const concept = conceptOf(name);
      if (bound !== undefined && this.#said[concept] !== undefined) {
        this.#said = { ...this.#said, [concept]: bound };
        return 'again';
      }
      if (!required.has(name) && !name.endsWith('_id')) return new Set([...without, name]);
    }
    const parameter = [...required].find((name) => name.endsWith('_id') && name in filled.given);
    const id = parameter === undefined ? undefined : filled.given[parameter];
    const noun = parameter?.replace(/_id$/, '') ?? '';
    // If the task did not name an item, try another one.
    if (this.#said['name'] === undefined && this.#said[noun] === undefined && typeof id === 'string') {
      this.#refused.add(id);
      return this.#itemFor(noun) === undefined ? undefined : 'again';
    }
    return undefined;
  }

  /** Chooses a change although nothing failed: a value did not arrive, or nothing was found. */
  #doubt(
    seen: Seen,
    { step, tool, filled, habits, without, asKind }: Attempt,
  ): 'again' | 'by the schema' | 'as a kind' | Set<string> | undefined {
    if (filled.unsure.some((one) => isLost(one, seen.view, tool))) return 'by the schema';
    const limit = this.#said['limit'];
    if (
      habits.names?.['limit'] !== undefined &&
      typeof limit === 'number' &&
      itemsOf(seen, 'place').length > limit
    )
      return 'by the schema';
    if (!isEmpty(seen)) return undefined;
    if (!hasRemedy(seen.view, [])) this.#deadEnds++;
    if (this.#correct(seen)) return 'again';
    if (habits.unknown !== undefined || habits.names !== undefined) return 'by the schema';
    const dropped = Object.keys(filled.given).find(
      (name) => conceptOf(name) === 'area' && !without.has(name),
    );
    if (dropped !== undefined && !(tool.inputSchema.required ?? []).includes(dropped))
      return new Set([...without, dropped]);
    if (!asKind && (step.with ?? Object.keys(this.#said)).some((one) => one === 'cuisine' || one === 'what'))
      return 'as a kind';
    return undefined;
  }

  /** Takes up a spelling that the service offers for something that was said. */
  #correct({ view }: Seen): boolean {
    const country = this.#said['country'];
    const code = typeof country === 'string' ? countryCode(country) : undefined;
    if (code !== undefined && /\bISO\b|alpha-2/i.test(view)) {
      this.#said = { ...this.#said, country: code };
      return true;
    }
    for (const concept of ['where', 'country', 'area', 'kind', 'cuisine']) {
      const value = this.#said[concept];
      if (typeof value !== 'string') continue;
      const better = nearest(value, view.replaceAll(value, ' '));
      if (better === undefined) continue;
      this.#said = { ...this.#said, [concept]: better };
      return true;
    }
    return false;
  }

  /** Another tool for what is still wanted: one that the result names, or one that is known for such things. */
  #another(seen: Seen, { find = [] }: Step, tried: ReadonlySet<string>): Tool | undefined {
    const wanted = find.filter((one) => !tells(seen.view, one));
    if (wanted.length === 0) return undefined;
    const left = this.#host.tools.filter(
      ({ name, annotations }) => !tried.has(name) && annotations?.readOnlyHint === true,
    );
    const named = left.find(({ name }) => new RegExp(`\\b${name}\\b`).test(seen.view));
    const [fitting] = rankTools(left, wanted.map((one) => WORDS_FOR[one]).join(' '));
    const next = tried.size > ELSEWHERE_MAX ? undefined : (named ?? fitting);
    if (next === undefined) this.#deadEnds++;
    return next;
  }
}
