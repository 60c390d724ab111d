"""The store on DynamoDB: a table for each kind of aggregate, every write under a condition."""

from wordle_tournament.adapters.dynamodb.store import DynamoStore, Tables

__all__ = ["DynamoStore", "Tables"]
