/** What may be there already. To wait for it nevertheless costs a turn of the event loop's queue each time. */
export type NowOrLater<Value> = Value | Promise<Value>;

/** Goes on with a value: at once when it is there, otherwise when it comes. */
export function andThen<Value, Result>(
  value: NowOrLater<Value>,
  next: (value: Value) => NowOrLater<Result>,
): NowOrLater<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The same for what may fail: `failed` hears of every fault, whenever it happens. */
export function orElse<Value>(
  attempt: () => NowOrLater<Value>,
  failed: (thrown: unknown) => NowOrLater<Value>,
): NowOrLater<Value> {
  try {
    const value = attempt();
    return value instanceof Promise ? value.catch(failed) : value;
  } catch (thrown) {
    return failed(thrown);
  }
}
