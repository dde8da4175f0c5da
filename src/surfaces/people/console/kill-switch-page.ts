import { z } from 'zod';
import { countFreezable, flipKillSwitch } from '../../../bookings/kill-switch/flip-kill-switch.ts';
import { drillFindings, drillPassed, drillVerdict } from '../../../bookings/kill-switch/drill-report.ts';
import {
  beginDrill,
  findLastDrill,
  findRunningDrill,
  type Drill,
} from '../../../bookings/kill-switch/kill-switch-drill.ts';
import { readKillSwitch, type KillSwitch } from '../../../bookings/kill-switch/kill-switch.ts';
import { AppError } from '../../../core/errors.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { addJob } from '../../../jobs/add-job.ts';
import { actionForm, formFields } from '../form/action-form.ts';
import { hiddenInput, reasonInput, type FormValues } from '../form/fields.ts';
import { readFields } from '../form/read-fields.ts';
import { badge, card, userText } from '../frame/components.ts';
import { definitionList } from '../frame/definition-list.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { form } from '../frame/frame.ts';
import { conflict, defineAction } from '../person/action.ts';
import { definePage } from '../person/page.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { leads, type Staff } from '../person/people.ts';
import { formatDuration, formatTime } from './moment.ts';

const PATH = '/console/kill-switch';
const fields = {
  state: hiddenInput(z.enum(['on', 'off'])),
  reason: reasonInput('Staff see it on every page, and it is recorded in the audit log.', 500),
};

const flip = defineAction({
  name: 'flip_kill_switch',
  path: PATH,
  who: leads,
  fields,
  done: {
    on: 'All bookings are stopped. Nothing is sent to any venue from now on.',
    off: 'Bookings have resumed. Waiting requests have as much time left as before.',
  },
  async run(act, { state, reason }) {
    const on = state === 'on';
    const frozen = await flipKillSwitch(act.db, act, { on, reason, staffId: act.person.id });
    if (frozen === undefined)
      conflict(
        `${on ? 'Bookings were already stopped.' : 'Bookings were not stopped.'} Nothing was changed.`,
      );
    act.audit('kill_switch', { on, reason });
    return { done: state };
  },
});

const drillNow = defineAction({
  name: 'drill_kill_switch',
  path: `${PATH}/drill`,
  who: leads,
  button: 'Run a drill',
  danger: true,
  confirm:
    'All bookings are stopped for about six seconds and then resume by themselves. Requests are refused meanwhile, and every deadline moves by as much. Run it while venues are being asked.',
  done: 'The drill is running. Its result appears here within about ten seconds.',
  async run(act) {
    const id = await beginDrill(act.db, act.person.id).catch((thrown: unknown) =>
      thrown instanceof AppError ? conflict(thrown.message) : Promise.reject(thrown as Error),
    );
    await addJob(act.db, 'drill_kill_switch', { drill_id: id, staff_id: act.person.id });
    act.audit('kill_switch', { drill: id });
  },
});

/**
 * The first step is a GET form without effect. It leads to a page that explains the consequences, and the button there
 * acts.
 */
export const killSwitchPage = definePage({
  path: PATH,
  who: leads,
  nav: { label: 'Stop bookings', key: 'h' },
  follows: () => ['drills'],
  async load({ deps: { pool }, query }) {
    const [killSwitch, open, drill, running] = await Promise.all([
      readKillSwitch(pool),
      countFreezable(pool),
      findLastDrill(pool),
      findRunningDrill(pool),
    ]);
    return {
      killSwitch,
      open,
      drill,
      running,
      chosen: query.has('state') ? readFields(query, fields) : undefined,
    };
  },
  view(req, { killSwitch, open, drill, running, chosen }, state) {
    const page = {
      title: killSwitch.on ? 'Bookings are stopped' : 'Stop all bookings',
      lead: stateWords(req, killSwitch, open),
    };
    if (chosen?.ok === true) return { ...page, body: secondStep(req, chosen.values, open) };
    const submitted = chosen && { action: flip.name, form: req.query, faults: chosen.faults };
    return {
      ...page,
      ...(submitted && { status: 422 }),
      body: html`${firstStep(killSwitch, submitted ?? state)}
      ${drillSection(req, state, drill, running?.isAbandoned === false)}`,
    };
  },
  actions: [flip, drillNow],
});

function stateWords(
  { now }: Pick<PageRequest, 'now'>,
  { on, since, reason }: KillSwitch,
  open: number,
): Html {
  if (!on) return html`Bookings run. ${openLink(open)} ${open === 1 ? 'is' : 'are'} open.`;
  return html`Since ${formatTime(since)}, for ${formatDuration(now.getTime() - since.getTime())}:
    <bdi>${reason ?? ''}</bdi>. ${openLink(open)} ${open === 1 ? 'waits' : 'wait'}.`;
}

function openLink(open: number): Html {
  return html`<a href="/console/bookings?status=open">${formatCount(open, 'request')}</a>`;
}

function firstStep({ on }: KillSwitch, state: PageState): Html {
  return html`<form class="card flow" method="get" action="${PATH}">
    <p>
      ${
        on
          ? 'Waiting requests continue with as much time as they had left; those whose table is less than an hour away are cancelled.'
          : 'For an emergency. From then on no venue gets a message, a call or a request in its booking system, and partners cannot ask for tables. Confirmed tables stay; partners can still cancel and look, and venues can still answer.'
      }
    </p>
    ${formFields(flip, state, { values: { state: on ? 'off' : 'on' } })}
    <button class="button ${on ? '' : 'danger'}" type="submit">
      ${on ? 'Resume bookings' : 'Stop all bookings'}
    </button>
  </form>`;
}

/** Shows the result of the last drill, so that a broken kill switch is noticed before it is needed. */
function drillSection(
  req: PageRequest<Staff>,
  state: PageState,
  drill: Drill | undefined,
  isRunning: boolean,
): Html {
  const another = isRunning
    ? html`<p><strong>A drill is running.</strong> Its result appears here when it is over.</p>`
    : actionForm(req, drillNow, state);
  if (drill === undefined)
    return card(
      'Drill',
      html`<p>
          No drill has been run yet. It stops all bookings for a few seconds and measures how long it takes
          until nothing is sent any more.
        </p>
        ${another}`,
    );
  const passed = drillPassed(drill);
  return card(
    html`Last drill ${badge(passed ? 'good' : 'bad', passed ? 'Held' : 'Failed')}`,
    html`<p>${drillVerdict(drill)}</p>
      ${definitionList('record', [
        ['When', formatTime(drill.startedAt)],
        ['By', userText(drill.by ?? 'somebody whose account is gone')],
        ...drillFindings(drill).map(({ label, words }) => [label, words] as const),
      ])}
      ${another}`,
  );
}

function secondStep(req: PageRequest, { state, reason }: FormValues<typeof fields>, open: number): Html {
  const words =
    state === 'on'
      ? `${formatCount(open, 'open request')} will wait until you resume bookings.`
      : `${formatCount(open, 'request')} will continue.`;
  return form(
    req,
    PATH,
    html`<h2>${state === 'on' ? 'Stop all bookings now?' : 'Resume all bookings now?'}</h2>
      <p>${words} Reason: <bdi>${reason}</bdi></p>
      <input type="hidden" name="state" value="${state}" />
      <input type="hidden" name="reason" value="${reason}" />
      <p class="row-forms">
        <button class="button ${state === 'on' ? 'danger' : ''}" type="submit">
          ${state === 'on' ? 'Yes, stop all bookings' : 'Yes, resume bookings'}
        </button>
        <a class="button plain" href="${PATH}">No, leave it</a>
      </p>`,
    { className: 'card flow' },
  );
}
