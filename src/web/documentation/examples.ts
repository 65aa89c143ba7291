/** An operation to start from, as GraphiQL's menu offers it. */
export interface Example {
  readonly name: string;
  /** What it does, in a sentence. */
  readonly comment: string;
  readonly query: string;
}

/** Each is valid by itself, without variables, and names the places of the demo workspace. */
export const examples: readonly Example[] = [
  {
    name: 'My global settings',
    comment: 'Who you are, and how much you want to hear where nothing nearer says otherwise.',
    query: `query MyGlobalSettings {
  currentUser {
    username
    name
    webUrl
  }
  notificationSettings {
    level
    notificationEmail
    events {
      event
      enabled
      isSet
    }
  }
}
`,
  },
  {
    name: 'Every setting, and what really applies',
    comment: 'Each of your settings with the level that counts in the end, and where that level comes from.',
    query: `query EverySetting {
  currentUser {
    notificationSettings(first: 50, inherited: true) {
      edges {
        node {
          scope
          group {
            fullPath
          }
          project {
            fullPath
          }
          level
          isLevelSet
          effective {
            level
            source
            sourceGroup {
              fullPath
            }
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
`,
  },
  {
    name: 'Change a level',
    comment: 'Hear everything of one project. The token needs the scope api.',
    query: `mutation ChangeLevel {
  updateNotificationSettings(
    input: { project: "demo/storefront", level: WATCH }
  ) {
    notificationSettings {
      level
      effective {
        level
        source
      }
    }
  }
}
`,
  },
  {
    name: 'Change several at once',
    comment: 'Two settings in one transaction: both change, or neither. The token needs the scope api.',
    query: `mutation ChangeSeveral {
  bulkUpdateNotificationSettings(
    input: {
      settings: [
        { group: "demo", level: MENTION }
        {
          project: "demo/storefront"
          level: CUSTOM
          events: [
            { event: NEW_ISSUE, enabled: true }
            { event: FAILED_PIPELINE, enabled: true }
          ]
        }
      ]
    }
  ) {
    notificationSettings {
      scope
      level
      effective {
        level
        source
      }
    }
  }
}
`,
  },
  {
    name: 'Reset to inherit',
    comment: 'Forget what you set in a project: it follows its group again. The token needs the scope api.',
    query: `mutation ResetToInherit {
  resetNotificationSettings(input: { project: "demo/storefront" }) {
    notificationSettings {
      level
      effective {
        level
        source
      }
    }
  }
}
`,
  },
  {
    name: 'Follow my settings',
    comment: 'Listens until you stop it. Change a setting meanwhile, in another tab or over REST, and see it here.',
    query: `subscription FollowMySettings {
  notificationSettingsChanged {
    scope
    group {
      fullPath
    }
    project {
      fullPath
    }
    level
    effective {
      level
      source
    }
  }
}
`,
  },
  {
    name: 'Error tracking of a project',
    comment: 'How a project is tied to its error tracker. For its maintainers.',
    query: `query ErrorTracking {
  errorTrackingSettings(project: "demo/storefront") {
    active
    projectName
    apiUrl
    trackerExternalUrl
  }
}
`,
  },
  {
    name: 'About my access token',
    comment: 'What an OAuth access token is good for; a personal access token isn’t one.',
    query: `query AboutMyToken {
  tokenInfo {
    scopes
    expiresIn
    applicationUid
    createdAt
    resourceOwnerId
  }
}
`,
  },
];
