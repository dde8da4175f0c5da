import type { Deps } from '../../../core/context.ts';
import type { Db } from '../../../core/postgres/db.ts';
import { E164 } from '../../../core/text/e164.ts';
import { MINUTE_MS } from '../../../core/time.ts';
import { TwilioError } from '../../../twilio/twilio.ts';
import { spokenLanguage } from '../../language/venue-language.ts';
import type { Channel, VenueAsk } from '../channel.ts';
import { twilioProvider } from '../twilio-provider.ts';

type CallOutcome = { outcome: 'asked'; ref: string } | { outcome: 'failed'; detail: string };

/**
 * An automated call that the venue answers on the keypad; surfaces/people/phone-routes.ts conducts it. Without a
 * provider the desk calls instead.
 */
export const phone: Channel = {
  name: 'phone',
  kind: 'call',
  sentence: 'A call.',
  shownAs: { name: 'phone', sentence: 'The venue is called.', how: 'We will call the venue.' },
  label: 'Automatic call',
  askedText: 'The venue was called.',
  provider: twilioProvider,
  contact: ({ contacts }) => contacts.phone ?? undefined,
  // A venue with a written contact gets no automated call; the desk calls as the last step.
  suits: ({ earlier }) => earlier.every(({ kind }) => kind !== 'message'),
  usable: ({ config }) => twilioProvider.isSet(config),
  answerMs: 10 * MINUTE_MS,
  language: spokenLanguage,
  ask: placeCall,
  // Notifications are left to a person: another automated call would look like another request.
  tell: () => Promise.resolve({ outcome: 'waiting' }),
};

async function placeCall(deps: Deps, { id, to }: VenueAsk, db: Db): Promise<CallOutcome> {
  const { twilio, config } = deps;
  if (twilio === undefined) return { outcome: 'failed', detail: 'Calls are not set up.' };
  if (to === null || !E164.test(to))
    return { outcome: 'failed', detail: 'We have no phone number of the venue with its country code.' };
  try {
    const call = `${config.baseUrl}/twilio/calls/${id}`;
    const ref = await deps.killSwitchGate.letOut(phone.name, db, (maySend) =>
      twilio.placeCall({ to, answerUrl: call, statusUrl: `${call}/status`, maySend }),
    );
    return { outcome: 'asked', ref };
  } catch (thrown) {
    if (!(thrown instanceof TwilioError)) throw thrown;
    deps.log.warn({ err: thrown, ask: id }, thrown.message);
    // A call that may have been placed is not repeated: the phone may be ringing.
    return thrown.inDoubt
      ? { outcome: 'asked', ref: `unsure-${id}` }
      : { outcome: 'failed', detail: 'The call could not be placed.' };
  }
}
