import { TwilioError, type Twilio } from '../twilio/twilio.ts';
import type { MaySend } from './kill-switch-gate.ts';
import { SendError, type MessageSender, type OutgoingMessage } from './message-sender.ts';

/** Sends texts through the phone provider. */
export class TextSender implements MessageSender {
  readonly #twilio: Twilio;
  readonly #baseUrl: string;

  constructor(twilio: Twilio, baseUrl: string) {
    this.#twilio = twilio;
    this.#baseUrl = baseUrl;
  }

  async send({ messageId, to, text }: OutgoingMessage, maySend?: MaySend): Promise<void> {
    try {
      await this.#twilio.sendText({
        to,
        body: text,
        statusUrl: `${this.#baseUrl}/twilio/texts/${messageId}`,
        maySend,
      });
    } catch (thrown) {
      if (!(thrown instanceof TwilioError)) throw thrown;
      const { message, refused, inDoubt } = thrown;
      throw new SendError(message, { refused, inDoubt, cause: thrown });
    }
  }
}
