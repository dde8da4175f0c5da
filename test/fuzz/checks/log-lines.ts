import type { World } from '../world/world.ts';
import { fault, type Fault } from './fault.ts';

const KEY = /svc_(?:live|partner)_[0-9A-Za-z]{36}|whsec_[A-Za-z0-9+/=_-]{20,}|Bearer \S{16,}/;
const MAILBOX = /[\w.+-]{2,}@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/i;

/** Looks through what the service has logged since the last time. No line holds what opens something or reaches somebody. */
export function logFaults(world: World): Fault[] {
  const { logged } = world.service;
  const lines = logged.splice(0);
  const faults: Fault[] = [];
  for (const line of lines) {
    // Most lines are of requests, and say only what the router knows.
    const text = JSON.stringify(line);
    const where = `the log line "${String(line['msg'])}"`;
    if (KEY.test(text)) faults.push(fault('a key', where, text));
    if (MAILBOX.test(text)) faults.push(fault('a mailbox', where, text));
    if (line['level'] === 'error' || line['level'] === 'fatal')
      faults.push(fault('an error', `${where} ${errorWords(line)}`, text));
    if (line['msg'] === 'request') continue;
    for (const secret of world.values.secrets.keys())
      if (text.includes(secret)) faults.push(fault('a secret', where, text));
  }
  return faults;
}

function errorWords({ err }: Record<string, unknown>): string {
  return ((err as { message?: string } | undefined)?.message ?? '').slice(0, 80);
}
