/** Writes the template for translations of the WordPress plugin. */
import { writeFileSync } from 'node:fs';
import { exitOnHelpOption } from '../support/help-option.ts';
import { POT_FILE, renderPot } from './pot.ts';

exitOnHelpOption('Writes integrations/wordpress/connect-embed/languages/connect-embed.pot.');
writeFileSync(POT_FILE, renderPot());
