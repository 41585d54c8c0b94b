import type pg from 'pg';

export interface Statement {
  text: string;
  values: unknown[];
}

/** Runs an action and returns its result and the SQL statements that the pool executed meanwhile. */
export async function recordStatements<Result>(
  pool: pg.Pool,
  action: () => Promise<Result>,
): Promise<[Result, Statement[]]> {
  const statements: Statement[] = [];
  const restore: (() => void)[] = [];
  const onAcquire = (client: pg.PoolClient) => {
    if (Object.hasOwn(client, 'query')) return;
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const recording = (...args: unknown[]) => {
      const [first, values = []] = args;
      statements.push(
        typeof first === 'string'
          ? { text: first, values: values as unknown[] }
          : (first as Statement),
      );
      return query(...args);
    };
    Object.assign(client, { query: recording });
    restore.push(() => Reflect.deleteProperty(client, 'query'));
  };
  pool.on('acquire', onAcquire);
  try {
    return [await action(), statements];
  } finally {
    pool.off('acquire', onAcquire);
    for (const each of restore) each();
  }
}
