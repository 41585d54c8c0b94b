import { Hono } from 'hono';
import type { Env } from '../env.ts';
import { renderHomePage } from '../home/home-page.ts';
import { readHomeData } from '../home/home-data.ts';

/** `/`: the front page of the simulated Stripe, with recent objects and admin actions. */
export const home = () =>
  new Hono<Env>().get('/', (c) => {
    const { db, clock, faults } = c.var.deps;
    c.header(
      'content-security-policy',
      "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    c.header('cache-control', 'no-store');
    return c.html(renderHomePage(readHomeData(db, clock.now(), faults.list())));
  });
