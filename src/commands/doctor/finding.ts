/** The result of one check of an installation. */
export interface CheckFinding {
  name: string;
  state: 'ok' | 'warning' | 'fault';
  text: string;
  /** The next step; every warning and fault has one. */
  fix?: string;
}

export type Check<Parts> = (parts: Parts) => Promise<CheckFinding> | CheckFinding;

export function findingLines({ name, state, text, fix }: CheckFinding): string[] {
  const first = `${state.padEnd(8)}${name.padEnd(13)} ${text}`;
  return fix === undefined ? [first] : [first, `${' '.repeat(22)}Fix: ${fix}`];
}

/** Error texts of other programs may fill several lines. */
export function reasonOf(thrown: unknown): string {
  const { message, code } = (thrown ?? {}) as { message?: string; code?: unknown };
  return (message ?? '').split('\n')[0] || (typeof code === 'string' ? code : String(thrown));
}
