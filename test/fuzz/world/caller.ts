/** Who sends requests: programs with their credentials, and people with their sessions. */
export const ROLES = [
  'anonymous',
  'stranger',
  'agent',
  'oauth client',
  'partner',
  'member',
  'photographer',
  'venue',
  'operator',
  'partner person',
  'reviewer',
  'desk',
  'lead',
] as const;
export type Role = (typeof ROLES)[number];

export const STAFF: readonly Role[] = ['reviewer', 'desk', 'lead'];

export interface Caller {
  role: Role;
  /** Names the account that the caller acts for: a program and its operator have the same. */
  letter: string;
  /** Headers that say who it is. */
  credentials: readonly (readonly [name: string, value: string])[];
  cookies: Map<string, string>;
  /** The place of a venue. */
  placeId?: string;
  memberId?: string;
  email: string;
  /** Set when an answer said that the credential is no longer good. */
  ended: boolean;
}

/** The cookies of the browser's next request. */
export function cookieHeader({ cookies }: Caller): [string, string][] {
  if (cookies.size === 0) return [];
  return [['Cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')]];
}

/** Keeps the cookies of an answer, as a browser does. */
export function keepCookies({ cookies }: Caller, lines: readonly string[] = []): void {
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '' || /max-age=0\b|expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }
}
