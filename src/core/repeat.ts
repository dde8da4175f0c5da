import type { Log } from './log.ts';

interface Repeated {
  everyMs: number;
  log: Log;
  failure: string;
  round: (signal: AbortSignal) => Promise<void>;
}

/** Repeats work for as long as the service runs; a long round delays the next one. */
export function repeat({ everyMs, log, failure, round }: Repeated): { close(): Promise<void> } {
  const stop = new AbortController();
  let running: Promise<void> | undefined;
  const run = async () => {
    try {
      await round(stop.signal);
    } catch (thrown) {
      if (!stop.signal.aborted) log.error({ err: thrown }, `${failure}; it will be retried`);
    }
  };
  const timer = setInterval(() => {
    running ??= run().finally(() => (running = undefined));
  }, everyMs).unref();
  return {
    close: async () => {
      clearInterval(timer);
      stop.abort();
      await running;
    },
  };
}
