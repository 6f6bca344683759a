/** Waits for something, but not for long, and whatever comes of it. @param ms milliseconds */
export async function waitAtMost(wanted: Promise<unknown>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([wanted.catch(() => {}), late]);
  clearTimeout(timer);
}
