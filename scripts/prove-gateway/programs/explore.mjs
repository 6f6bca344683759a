// What each client does at a server: the same calls behind the gateway and without it.
export const calls = {
  test_simple_text: {},
  test_image_content: {},
  test_embedded_resource: {},
  test_multiple_content_types: {},
  test_error_handling: {},
};

/** @param {() => Promise<unknown>} ask gives what was answered, or the words of the error */
export const attempt = (ask) => Promise.resolve().then(ask).catch(String);

/** @param {unknown} seen */
export const tell = (seen) => process.stdout.write(`${JSON.stringify(seen, undefined, 1)}\n`);

/** The command of the server. */
export const [command, ...args] = process.argv.slice(2);
