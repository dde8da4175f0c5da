type Message =
  | { tell: string; what: unknown }
  | { ask: number; about: string; what: unknown }
  | { answer: number; result: unknown; failed: string | undefined };

type Answer = (what: never) => unknown;

/** A channel to another process: either side sends messages and requests to the other by name. */
export class ProcessChannel {
  readonly #send: (message: Message) => void;
  readonly #answers = new Map<string, Answer>();
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #requests = 0;
  #isGone = false;
  #left: (() => void)[] = [];

  constructor(send: (message: object) => void) {
    this.#send = send;
  }

  on(about: string, answer: Answer): void {
    this.#answers.set(about, answer);
  }

  send(about: string, what?: unknown): void {
    if (!this.#isGone) this.#send({ tell: about, what });
  }

  async request<Result>(about: string, what?: unknown): Promise<Result> {
    if (this.#isGone) throw new Error('The other process has ended.');
    const waiting = Promise.withResolvers<unknown>();
    const number = ++this.#requests;
    this.#waiting.set(number, waiting);
    this.#send({ ask: number, about, what });
    return (await waiting.promise) as Result;
  }

  async receive(message: unknown): Promise<void> {
    const received = message as Message;
    if ('tell' in received) {
      this.#answers.get(received.tell)?.(received.what as never);
    } else if ('ask' in received) {
      const { ask: answer, about, what } = received;
      try {
        const respond = this.#answers.get(about);
        // A process that has just started does not answer everything yet.
        if (respond === undefined) throw new Error(`There is no answer to "${about}" yet.`);
        const result = await respond(what as never);
        if (!this.#isGone) this.#send({ answer, result, failed: undefined });
      } catch (thrown) {
        if (!this.#isGone) this.#send({ answer, result: undefined, failed: String(thrown) });
      }
    } else if ('answer' in received) {
      const { answer, result, failed } = received;
      const waiting = this.#waiting.get(answer);
      this.#waiting.delete(answer);
      if (failed === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(`The other process could not answer: ${failed}`));
    }
  }

  whenGone(work: () => void): void {
    if (this.#isGone) work();
    else this.#left.push(work);
  }

  gone(): void {
    this.#isGone = true;
    for (const { reject } of this.#waiting.values()) reject(new Error('The other process has ended.'));
    this.#waiting.clear();
    for (const work of this.#left) work();
    this.#left = [];
  }
}
