import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: './src/stores/sqlite/schema/schema.ts',
  out: './drizzle',
});
