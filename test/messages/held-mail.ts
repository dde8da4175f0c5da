import { postMessage } from '../../src/messages/post-message.ts';
import type { TestService } from '../harness/service/service.ts';
import type { SmtpReceiver } from './smtp-receiver.ts';

/** Queues a mail, and gives the id of its message. */
export function postMail({ app: { deps } }: TestService): Promise<string> {
  const mail = { to: 'a@b.example', subject: 'Hello', text: 'Hello.', purpose: 'test', subject_id: 'x' };
  return deps.pool.begin((sql) =>
    postMessage(sql, { newId: deps.newId, now: deps.clock.now() }, { channel: 'mail', ...mail }),
  );
}

/** Delays the server's answer to a mail until it is released. */
export function holdMail(smtp: SmtpReceiver): { sending: Promise<undefined>; release: () => void } {
  const sending = Promise.withResolvers<undefined>();
  const gate = Promise.withResolvers<undefined>();
  smtp.taken = () => {
    sending.resolve(undefined);
    return gate.promise.then(() => undefined);
  };
  return {
    sending: sending.promise,
    release: () => {
      gate.resolve(undefined);
    },
  };
}
