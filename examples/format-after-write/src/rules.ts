import { defineRule } from '@spec/rules';

/** Runs after each write; the model's own calls and those of the script pass the same rules. */
const formatPython = defineRule({
  id: 'format_python',
  event: 'PostToolUse',
  matcher: '^write_file$',
  action: 'script',
  script: `
    if (toolInput.path?.endsWith('.py') && !toolResult.is_error) {
      const { content, is_error } = await callTool('bash', { command: 'black ' + toolInput.path });
      if (is_error) return { context: 'Formatting failed: ' + content };
      log('Formatted:', toolInput.path);
    }
  `,
});

const onlyBlack = defineRule({
  id: 'only_black',
  matcher: '^bash$',
  action: 'script',
  script: `
    const isBlack = /^black [\\w./-]+$/.test(toolInput.command ?? '');
    return isBlack ? null : { decision: 'deny', reason: 'Only black may run here.' };
  `,
  continueOnError: false,
});

export const rules: ReturnType<typeof defineRule>[] = [formatPython, onlyBlack];
