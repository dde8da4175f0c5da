import { insertPartner } from '../../../accounts/partners/partner.ts';
import { addJob } from '../../../jobs/add-job.ts';
import { signUpLimit } from '../../../metering/rate-limits.ts';
import { z } from 'zod';
import { HOLDER_NAME_MAX, HOLDER_NAME_MIN } from '../../../core/text/limits.ts';
import { line, text } from '../../../core/text/text.ts';
import { html } from '../../../core/text/html.ts';
import { actionForm } from '../form/action-form.ts';
import { areaInput, ownEmailInput, textInput } from '../form/fields.ts';
import { defineAction } from '../person/action.ts';
import { anybody } from '../person/audience.ts';
import { definePage } from '../person/page.ts';
import { mailboxHint, partnerReasons } from './sign-in-page.ts';

const PATH = '/partner/sign-up';

/** Creates an account without a key. The link in the mail signs in, and a key is created there. */
const signUp = defineAction({
  name: 'partner_sign_up',
  path: PATH,
  who: anybody,
  rateLimits: [signUpLimit('partner-sign-ups', ({ config }) => config.partnerSignupsPerHour)],
  fields: {
    email: ownEmailInput({ hint: 'We send a link there that signs you in; there is no password.' }),
    name: textInput(line(HOLDER_NAME_MIN, HOLDER_NAME_MAX), {
      label: 'Your name or company',
      hint: 'Who answers for the account.',
      maxlength: HOLDER_NAME_MAX,
      required: true,
    }),
    use_case: areaInput(text(0, 500).or(z.literal('')), {
      label: 'What you use the answers for',
      hint: 'One sentence. Our staff read it when you ask for table requests.',
      maxlength: 500,
    }),
  },
  button: 'Create the account',
  plain: false,
  async run(act, { email, name, use_case: useCase }) {
    const id = act.newId('ptn');
    const details = { email, name, use_case: useCase || null };
    // An existing account gets the same answer: strangers do not learn who is a partner.
    if (await insertPartner(act.db, id, details, act.now)) act.audit(id, { name });
    else act.unchanged();
    await addJob(act.db, 'send_partner_link', { email });
    return { view: mailboxHint(email) };
  },
});

export const partnerSignUpPage = definePage({
  path: PATH,
  who: anybody,
  load: () => undefined,
  view: (req, _data, state) => ({
    title: 'Become a partner',
    lead: 'The free plan starts at once: an account, a key for your programs, and this page about your usage.',
    body: html`<div class="columns">
      <div class="flow">
        ${actionForm(req, signUp, state, { className: 'card flow' })}
        <p class="soft">Already a partner? <a href="/partner/sign-in">Sign in</a></p>
      </div>
      ${partnerReasons()}
    </div>`,
  }),
  actions: [signUp],
});
