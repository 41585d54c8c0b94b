import { z } from 'zod';

/** The environment variables of the sample platform. */
export const Config = z.object({
  PLATFORM_ORIGIN: z.url().describe('Address of this platform, such as http://localhost:4500.'),
  CONNECT_API_BASE: z.url().describe('Address of the API, ending in /api/v1.'),
  CONNECT_CLIENT_ID: z.string().min(1).describe('Client ID of the app.'),
  CONNECT_CLIENT_SECRET: z.string().min(1).describe('Client secret of the app.'),
  SESSION_SECRET: z.string().min(32).describe('Any 32 characters or more.'),
  VIEWER_SECRET: z.string().min(32).describe('Other 32 characters or more, for viewer tokens.'),
  DATABASE_FILE: z.string().default('platform.db').describe('File of the SQLite database.'),
});
export type Config = z.infer<typeof Config>;

/** @throws {Error} with one line for each invalid variable */
export function readConfig(variables: NodeJS.ProcessEnv = process.env): Config {
  const { data, error } = Config.safeParse(variables);
  if (error) throw new Error(z.prettifyError(error));
  return data;
}
