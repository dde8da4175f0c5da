import { z } from 'zod';

/** Requires a member depending on the others. Its absence is reported together with all other faults. */
export function neededMember(
  member: string,
  holds: (input: Readonly<Record<string, unknown>>) => boolean,
  error = 'is required',
) {
  return z.refine<Record<string, unknown>>(holds, {
    error,
    path: [member],
    params: { code: 'required' },
    when: () => true,
  });
}
