import { allActions, type UserState } from './actions.ts';

interface StateButtonsProps {
  /** The path of the page of the person. */
  readonly here: string;
  readonly state: UserState;
  /** Whether it is the viewer's own account. */
  readonly own: boolean;
}

/** The links to what an administrator can do to the state of an account. */
export function StateButtons({ here, state, own }: StateButtonsProps) {
  return (
    <>
      {allActions
        .filter(([, { offeredTo }]) => !own && offeredTo.includes(state))
        .map(([name, { label, danger }]) => (
          <a class={danger ? 'button danger' : 'button'} href={`${here}/${name}`}>
            {label}
          </a>
        ))}
    </>
  );
}
