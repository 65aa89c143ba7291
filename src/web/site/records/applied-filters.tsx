interface AppliedFiltersProps<Query> {
  /** Those of a list, by their names; an empty value is no filter. */
  readonly filters: readonly (readonly [name: string, value: string, without: Partial<Query>])[];
  /** The query without any. */
  readonly cleared: Partial<Query>;
  /** The address of the list with a changed query. */
  readonly address: (changed: Partial<Query>) => string;
}

/** The filters of a list that are on, each with a link that removes it. */
export function AppliedFilters<Query>({ filters, cleared, address }: AppliedFiltersProps<Query>) {
  return (
    <ul class="chips applied" aria-label="Filters">
      {filters.map(
        ([name, value, without]) =>
          value !== '' && (
            <li>
              <a class="label" href={address(without)}>
                <span class="hidden">Remove the filter: </span>
                <span>
                  {name}: <bdi>{value}</bdi>
                </span>
                <span aria-hidden="true">×</span>
              </a>
            </li>
          ),
      )}
      <li>
        <a href={address(cleared)}>Clear all filters</a>
      </li>
    </ul>
  );
}
