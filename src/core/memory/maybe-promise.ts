/** A value that may already be available. Awaiting it anyway would cost a turn of the microtask queue each time. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Continues with a value: synchronously when it is available, otherwise when it resolves. */
export function andThen<Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The same for an attempt that may fail: `failed` handles every error, synchronous or not. */
export function orElse<Value>(
  attempt: () => MaybePromise<Value>,
  failed: (thrown: unknown) => MaybePromise<Value>,
): MaybePromise<Value> {
  try {
    const value = attempt();
    return value instanceof Promise ? value.catch(failed) : value;
  } catch (thrown) {
    return failed(thrown);
  }
}
