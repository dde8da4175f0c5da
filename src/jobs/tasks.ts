import { sendRecoveryLink } from '../accounts/send-recovery-link.ts';
import { deliverCallback } from '../callbacks/deliver-callback.ts';
import { deliverMessage } from '../messages/deliver-message.ts';
import { tidyOauth } from '../oauth/tidy-oauth.ts';
import type { Task } from './task.ts';

/** Everything that is done outside a request, by the name under which it is queued. */
export const TASKS = {
  deliver_message: deliverMessage,
  deliver_callback: deliverCallback,
  send_recovery_link: sendRecoveryLink,
  tidy_oauth: tidyOauth,
} as const satisfies Record<string, Task>;

export type TaskName = keyof typeof TASKS;
