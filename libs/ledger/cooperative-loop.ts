/** Long work that yields now and then, so that its caller can let other work run. It yields no value. */
export type CooperativeTask<T> = Generator<void, T>;

export function runToEnd<T>(task: CooperativeTask<T>): T {
  for (;;) {
    const { done, value } = task.next();
    if (done === true) return value;
  }
}
