/** Waits for something, but not for long, and whatever comes of it. @param ms milliseconds */
export async function waitAtMost(wanted: Promise<unknown>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([wanted.catch(() => {}), late]);
  clearTimeout(timer);
}

/** Waits for something that has to come in time. @param ms milliseconds @throws what `fail` makes, where it does not come */
export async function waitOrFail<T>(wanted: Promise<T>, ms: number, fail: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(fail()), ms);
  });
  try {
    return await Promise.race([wanted, late]);
  } finally {
    clearTimeout(timer);
  }
}
