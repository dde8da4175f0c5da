import { z } from 'zod';

/** A guest who waits for a table of a full venue, in bookings and webhooks. */
export const waitingSchema = z
  .object({
    since: z.iso.datetime(),
    until: z.iso.datetime().describe('Then the request ends by itself.'),
    ahead: z
      .int()
      .describe('How many joined the waiting list of that day before. The venue may choose another.'),
  })
  .nullable()
  .describe('Set while the venue is full and the guest waits for a free table.');

export type WaitingAnswer = z.infer<typeof waitingSchema>;
