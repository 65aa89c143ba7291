import type { Config } from '../../config/index.ts';
import { fingerprintsOf, keyFault, loadInstanceKeys, type KnownKey } from '../../maintenance.ts';
import { explained } from '../failure.ts';
import type { Finding } from '../../values/findings.ts';
import { ok, problem, warning } from './finding.ts';

const name = 'instance key';

/**
 * Checks that the instance key can be read, and that it is the one noted in the database.
 * @param known omitted when the database can't be reached
 */
export function instanceKey(config: Config, known?: KnownKey): Finding {
  try {
    const fault = known && keyFault(known, config);
    if (fault) return problem(name, fault.message, fault.remedy);
    const keys = loadInstanceKeys(config);
    if (!keys) return ok(name, `the first start creates one in ${config.dataDir}`);
    const [first, ...older] = fingerprintsOf(keys);
    if (known === undefined) return ok(name, `${first} can be read`);
    if (known.fingerprint === null) return ok(name, `${first}; the next start notes it in the database`);
    if (known.fingerprint === first) return ok(name, `${first} is the one noted in the database`);
    return warning(
      name,
      `${first} is to replace ${older.join(', ')}`,
      'Run causeway keys reseal once every gateway has both keys; then start with the new one alone.',
    );
  } catch (error) {
    const [message, remedy = ''] = explained(error);
    return problem(name, message, remedy);
  }
}
