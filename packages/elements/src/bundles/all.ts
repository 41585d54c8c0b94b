import './donate.ts';
import './tables.ts';
