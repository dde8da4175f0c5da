import { z } from 'zod';

/** A member that is needed by what the others say. That it is missing is told together with whatever else is wrong. */
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
