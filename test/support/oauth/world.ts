import { testGateway, type TestGateway } from '../gateway.ts';
import { registerApplication, session, type RegisteredApplication, type Session } from './oauth.ts';

/** A gateway with a person and two applications: a confidential and a public one. */
export interface World {
  gateway: TestGateway;
  person: Session;
  confidential: RegisteredApplication;
  open: RegisteredApplication;
}

export async function makeWorld(settings: Record<string, string> = {}): Promise<World> {
  const gateway = await testGateway(settings);
  const person = await session(gateway, 'person');
  return {
    gateway,
    person,
    confidential: await registerApplication(person),
    open: await registerApplication(person, { confidential: false }),
  };
}
