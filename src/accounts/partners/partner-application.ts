import type { Db } from '../../core/postgres/db.ts';
import type { PartnerPlanName } from '../../metering/plans.ts';

/** The application of a partner: table requests, or another plan. */
export type ApplicationSubject = 'bookings' | 'plan';

export interface PartnerApplication {
  wants: ApplicationSubject;
  plan: PartnerPlanName | null;
  reason: string;
  made_at: Date;
  state: 'open' | 'granted' | 'refused';
  decided_at: Date | null;
  answer: string | null;
}

/** Stores an application. False while an earlier one for the same waits for its answer. */
export async function applyFor(
  db: Db,
  {
    partnerId,
    plan,
    reason,
    now,
  }: { partnerId: string; plan: PartnerPlanName | null; reason: string; now: Date },
): Promise<boolean> {
  const stored = await db`
    insert into partner_application (partner_id, wants, plan, reason, made_at)
    values (${partnerId}, ${plan === null ? 'bookings' : 'plan'}, ${plan}, ${reason}, ${now})
    on conflict (partner_id, wants) where state = 'open' do nothing`;
  return stored.count === 1;
}

/** Returns the newest application of a partner for each subject. */
export async function readApplications(
  db: Db,
  partnerId: string,
): Promise<Readonly<Partial<Record<ApplicationSubject, PartnerApplication>>>> {
  const rows = await db<PartnerApplication[]>`
    select distinct on (wants) wants, plan, reason, made_at, state, decided_at, answer
    from partner_application where partner_id = ${partnerId} order by wants, id desc`;
  return Object.fromEntries(rows.map((row) => [row.wants, row]));
}

/** Answers the open application, if there is one. An application for another plan than the given one is refused. */
export async function answerApplication(
  db: Db,
  partnerId: string,
  {
    wants,
    answer,
    granted,
    now,
  }: { wants: ApplicationSubject; answer: string; granted: boolean | { plan: PartnerPlanName }; now: Date },
): Promise<boolean> {
  const plan = typeof granted === 'object' ? granted.plan : null;
  const answered = await db`
    update partner_application set decided_at = ${now}, answer = ${answer},
      state = case when ${granted !== false} and (${plan}::text is null or plan = ${plan}) then 'granted' else 'refused' end
    where partner_id = ${partnerId} and wants = ${wants} and state = 'open'`;
  return answered.count === 1;
}
