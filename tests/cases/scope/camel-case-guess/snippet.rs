maxLen
